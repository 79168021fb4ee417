import { findDayProbes, type ProbeRow } from '#db/queries/runs/store-probes.ts';
import type { Services } from '#domain/base/context.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { failuresBeforeProbe } from '#domain/tracking/rankings/count-failures.ts';
import { failuresBeforeFallback } from '#domain/tracking/rankings/fall-back.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { StoreWork } from './store-work.ts';

interface PlannedProbes {
  /**
   * The provider of the positions fails its probe, and it is too early to ask others, or none is
   * known to respond. Nothing but probes is requested from the store.
   */
  isBlocked: boolean;
  /** The provider of the positions was probed, or another one if the operator left it out. */
  isProbed: boolean;
  /** The day's first probes that are left, sent once there is other work. */
  first: StoreWork[];
  /** Probes that are due again: of providers that failed them, or whose checks fail since. */
  retries: StoreWork[];
}

/**
 * Each configured search provider of a store is probed once a day, again while it fails, and again
 * when checks fail one after another.
 */
export async function planProbes(
  { systemDb, settings }: Services,
  store: StoreName,
  { day, now }: { day: UtcDay; now: Date },
  retryMs: number,
): Promise<PlannedProbes> {
  const { seriesProvider, probes } = await findDayProbes(systemDb, store, day);
  const configured = settings.searchProviders[store];
  const known = probes.filter(({ provider }) => configured.includes(provider));
  const find = (provider: string) => known.find((probe) => probe.provider === provider);
  const first = configured.includes(seriesProvider) ? seriesProvider : configured[0]!;
  // A clock that was set back does not prolong the wait.
  const isDue = ({ probedAt }: { probedAt: Date }) =>
    probedAt > now || now.getTime() - probedAt.getTime() >= retryMs;
  const isFailing = ({ state, failures }: ProbeRow) =>
    state === 'degraded' || failures >= failuresBeforeProbe;
  const toWork = (provider: string, attempt: number): StoreWork => ({
    kind: 'store-probe',
    store,
    provider,
    day,
    attempt,
  });
  return {
    isBlocked:
      find(first)?.state === 'degraded' &&
      (find(first)!.failures < failuresBeforeFallback ||
        known.every(({ state }) => state === 'degraded')),
    isProbed: find(first) !== undefined,
    first: configured
      .filter((provider) => find(provider) === undefined)
      .map((provider) => toWork(provider, 0)),
    retries: known
      .filter((probe) => isFailing(probe) && isDue(probe))
      .map(({ provider, attempts }) => toWork(provider, attempts)),
  };
}
