import type { Cost, HintsAnswer, StoreRequestOptions } from '../../domain/ports.ts';
import { storefrontOf } from '../../lib/apple-storefronts.ts';
import { ask, type AskContext } from '../ask.ts';
import { notOffered, unreadable, withCost } from '../failures.ts';
import type { HostRoot } from '../urls.ts';
import { parseItunesHints } from './parse-hints.ts';
import { readReply } from './results.ts';
import { hintsUrl } from './urls.ts';

type Context = AskContext & { root: HostRoot };

const canary = 'a';
const wokenMs = 10 * 60_000;

/**
 * Asks what is offered while somebody types. A throttled address is answered with nothing and 200, so an empty answer
 * is believed only from a storefront that has offered something in the last ten minutes, if need be for one letter;
 * else it is `unreadable`, marker `soft-empty`. Throws `not_offered` for a country whose storefront we do not know.
 */
export function createHintsReader(context: Context) {
  const wokenAt = new Map<string, number>();
  const proofs = new Map<string, Promise<boolean>>();

  const askFor = async (
    query: { prefix: string; country: string },
    storefront: number,
    options: StoreRequestOptions,
    cost: Cost,
  ) => {
    const question = {
      kind: 'hints' as const,
      url: hintsUrl(context.root, query.prefix),
      headers: { accept: '*/*', 'x-apple-store-front': `${storefront}-1,29` },
      consentHeaders: null,
      read: readReply(parseItunesHints),
    };
    const terms = await ask(context, question, options, cost);
    if (terms.length > 0) wokenAt.set(query.country, context.clock.now().getTime());
    return terms;
  };

  const isAwake = (country: string) =>
    context.clock.now().getTime() - (wokenAt.get(country) ?? -Infinity) < wokenMs;

  function shareProof(country: string, offered: Promise<string[]>): void {
    const proof = offered
      .then(
        (terms) => terms.length > 0,
        () => false,
      )
      .finally(() => {
        if (proofs.get(country) === proof) proofs.delete(country);
      });
    proofs.set(country, proof);
  }

  return async function readHints(
    query: { prefix: string; country: string },
    options: StoreRequestOptions,
  ): Promise<HintsAnswer> {
    const storefront = storefrontOf(query.country);
    if (storefront === null)
      throw notOffered('ios', 'storefront', `no App Store known for ${query.country}`);
    const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
    const terms = await askFor(query, storefront, options, cost);
    if (terms.length > 0 || isAwake(query.country)) return { terms, cost };
    // Of several empty answers at once one asks for the others too; who is in a hurry does not wait for the run.
    if (options.lane === 'run' && (await proofs.get(query.country))) return { terms, cost };
    const offered = askFor({ ...query, prefix: canary }, storefront, options, cost);
    if (options.lane === 'run') shareProof(query.country, offered);
    if ((await offered).length === 0)
      throw withCost(unreadable('ios', 'soft-empty', 'no hints for any letter'), cost);
    return { terms, cost };
  };
}
