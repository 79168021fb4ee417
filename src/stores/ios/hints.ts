import {
  withCost,
  type Cost,
  type HintsResponse,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';
import { storefrontOf } from '#lib/apple-storefronts.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import { notOffered, unreadable } from '../store-errors.ts';
import type { HostRoot } from '../urls.ts';
import { parseItunesHints } from './parse-hints.ts';
import { readReply } from './results.ts';
import { hintsUrl } from './urls.ts';

type Context = StoreRequestContext & { root: HostRoot };

const probePrefix = 'a';
const activeMs = 10 * 60_000;

/**
 * Requests the suggestions for a prefix. A throttled address gets an empty response with status
 * 200, so an empty response counts only from a storefront that has suggested something in the last
 * ten minutes, if necessary for one character. Throws `unreadable`, marker `soft-empty`, otherwise;
 * and `not_offered` for a country whose storefront is unknown.
 */
export function createHintsReader(context: Context) {
  const activeAt = new Map<string, number>();
  const confirmations = new Map<string, Promise<boolean>>();

  const askFor = async (
    query: { prefix: string; country: string },
    storefront: number,
    options: StoreRequestOptions,
    cost: Cost,
  ) => {
    const request = {
      kind: 'hints' as const,
      url: hintsUrl(context.root, query.prefix),
      headers: { accept: '*/*', 'x-apple-store-front': `${storefront}-1,29` },
      consentHeaders: null,
      read: readReply(parseItunesHints),
    };
    const terms = await requestWithRetry(context, request, options, cost);
    if (terms.length > 0) activeAt.set(query.country, context.clock.now().getTime());
    return terms;
  };

  const isActive = (country: string) =>
    context.clock.now().getTime() - (activeAt.get(country) ?? -Infinity) < activeMs;

  function shareConfirmation(country: string, offered: Promise<string[]>): void {
    const confirmation = offered
      .then(
        (terms) => terms.length > 0,
        () => false,
      )
      .finally(() => {
        if (confirmations.get(country) === confirmation) confirmations.delete(country);
      });
    confirmations.set(country, confirmation);
  }

  return async function readHints(
    query: { prefix: string; country: string },
    options: StoreRequestOptions,
  ): Promise<HintsResponse> {
    const storefront = storefrontOf(query.country);
    if (storefront === null)
      throw notOffered('ios', 'storefront', `no App Store known for ${query.country}`);
    const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
    const terms = await askFor(query, storefront, options, cost);
    if (terms.length > 0 || isActive(query.country)) return { terms, cost };
    // One of several simultaneous empty responses is confirmed for the others too. Interactive
    // requests do not wait for the run.
    if (options.lane === 'run' && (await confirmations.get(query.country))) return { terms, cost };
    const offered = askFor({ ...query, prefix: probePrefix }, storefront, options, cost);
    if (options.lane === 'run') shareConfirmation(query.country, offered);
    if ((await offered).length === 0)
      throw withCost(unreadable('ios', 'soft-empty', 'no hints for any letter'), cost);
    return { terms, cost };
  };
}
