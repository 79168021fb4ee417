import { generateKeyPairSync } from 'node:crypto';
import { createAppleAdsApi } from '#apple-ads/apple-ads-api.ts';
import { popularityGenres, type Clock, type PopularityApi } from '#domain/base/ports.ts';
import { startDueSync, waitForSync } from '#domain/transfer/popularity/sync/start-due-sync.ts';
import type { WorldTerm } from '#simulator/ios/popularity-file.ts';
import type { Simulator } from '#simulator/server.ts';
import type { TestApi } from '../harness/api.ts';

export interface AdsCredentials {
  clientId: string;
  teamId: string;
  keyId: string;
  privateKey: string;
}

/** A key pair as `openssl ecparam -genkey` makes it, registered with the stand-in server. */
export function registerAdsKey(simulator: Simulator, keyId = 'key-1'): AdsCredentials {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ids = { clientId: 'SEARCHADS.client', teamId: 'SEARCHADS.team', keyId };
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  simulator.appleAds.register({ ...ids, publicKey: pem });
  const type = keyId.endsWith('pkcs8') ? 'pkcs8' : 'sec1';
  return { ...ids, privateKey: privateKey.export({ type, format: 'pem' }).toString() };
}

/** The product's client to the stand-in server. Waits are recorded instead of spent. */
export function openAdsApi(
  simulator: Simulator,
  clock: Clock,
): { api: PopularityApi; waits: number[] } {
  const waits: number[] = [];
  const wait = (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  };
  return { api: createAppleAdsApi({ baseUrl: simulator.baseUrl, clock, wait }), waits };
}

/** Runs the sync that is due to its end. */
export async function runSync(api: TestApi): Promise<void> {
  await startDueSync(api.services);
  await waitForSync(api.services);
}

/** Terms of a week: `perGenre` in each genre, of which `shift` are other ones than without it. */
export function makeTerms(perGenre: number, { shift = 0 } = {}): WorldTerm[] {
  return popularityGenres.flatMap((genre) =>
    Array.from({ length: perGenre }, (_, index) => ({
      genre,
      term: `${genre.replaceAll('_', ' ')} term ${index + shift}`,
      rank: index + 1,
      inGenre: Math.max(1, 100 - (index % 100)),
      popularity: Math.max(40, 100 - (index % 60)),
      level: Math.max(1, 5 - (index % 5)),
    })),
  );
}
