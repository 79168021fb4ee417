import { TestClock } from '#lib/clock.ts';
import { createEgressPool, type StoreRequestEvent, type UnreadableSample } from '#stores/index.ts';
import type { StoreName } from '#stores/profiles.ts';
import type { StoreRequestContext } from '#stores/request-with-retry.ts';
import { hostRoot, type HostRoot } from '#stores/urls.ts';
import { createUnlimitedPacer } from './unlimited-pacer.ts';

/** The context of one store's functions against a server, unpaced, with their reports recorded. */
export function openStoreContext(store: StoreName, baseUrl: string) {
  const { pacer, refusals } = createUnlimitedPacer();
  const egress = createEgressPool({ proxies: [] });
  const events: StoreRequestEvent[] = [];
  const samples: UnreadableSample[] = [];
  const context: StoreRequestContext & { root: HostRoot } = {
    store,
    pacer,
    egress,
    clock: new TestClock('2026-07-15T12:00:00Z'),
    timeoutMs: 5_000,
    consent: { given: false },
    onRequest: (event) => events.push(event),
    sampleSink: (sample) => samples.push(sample),
    root: hostRoot(baseUrl),
  };
  return { context, refusals, events, samples, close: () => egress.close() };
}
