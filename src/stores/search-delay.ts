import type { SearchDelay } from '#domain/base/ports.ts';
import { systemClock } from '#lib/clock.ts';
import type { Pacer } from './pace.ts';
import { mapStores, profileOf } from './profiles.ts';
import type { StoreRequestEvent } from './request-with-retry.ts';

const usualResponseMs = 500;

/**
 * Delays without a request: they take the grants of a search, in its lane, and as long as the last
 * response to one took. A search that is saved then looks like one that was sent.
 */
export function createSearchDelay(pacer: Pacer): SearchDelay & {
  observe(event: Pick<StoreRequestEvent, 'store' | 'kind' | 'outcome' | 'ms'>): void;
} {
  const responseMs = mapStores(() => usualResponseMs);
  return {
    observe({ store, kind, outcome, ms }) {
      if (kind === 'search' && outcome === 'ok') responseMs[store] = ms;
    },
    async wait({ store, provider, requests }, options) {
      const { providers } = profileOf(store).search;
      const host = providers.find(({ name }) => name === provider)?.host;
      for (let sent = 0; sent < requests; sent += 1) {
        await pacer.acquire(store, { ...options, host });
        await systemClock.sleep(responseMs[store], options.signal);
      }
    },
  };
}
