import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoPlan } from '#boot/seed-demo.ts';
import type { AdsKey } from '#simulator/apple-ads/apple-ads.ts';

/** Credentials of the simulated Ads API: what is pasted there, and what the product stores. */
export interface DemoAdsKey {
  registered: AdsKey;
  credentials: NonNullable<DemoPlan['adsCredentials']>;
}

export function createDemoAdsKey(): DemoAdsKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ids = {
    clientId: `SEARCHADS.${randomUUID()}`,
    teamId: `SEARCHADS.${randomUUID()}`,
    keyId: randomUUID(),
  };
  return {
    registered: { ...ids, publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() },
    credentials: {
      ...ids,
      privateKey: privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
    },
  };
}

const fileOf = (dataDir: string) => join(dataDir, 'demo-ads-key.json');

/** The simulator forgets its keys when it ends, so the public part is kept for the next start. */
export const storeDemoAdsKey = (dataDir: string, registered: AdsKey): Promise<void> =>
  writeFile(fileOf(dataDir), JSON.stringify(registered), { mode: 0o600 });

/** Null in a demo that was filled before it had a key. */
export async function readDemoAdsKey(dataDir: string): Promise<AdsKey | null> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as AdsKey);
}
