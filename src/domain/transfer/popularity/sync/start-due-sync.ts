import {
  acquirePopularitySync,
  countPopularityRequest,
  failPopularitySync,
  finishPopularitySync,
  listCountriesToSync,
  renewPopularityLease,
  type PopularitySyncRow,
} from '#db/queries/popularity/sync.ts';
import {
  listPopularityWeeks,
  type PopularityWeekRow,
  type WeekOutcome,
} from '#db/queries/popularity/weeks.ts';
import { type Services } from '#domain/base/context.ts';
import { PopularityApiError, storeProfiles, type PopularityApi } from '#domain/base/ports.ts';
import { keepLease, leaseMs } from '#domain/scheduling/nightly.ts';
import { addDays, startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { withTimeLimit } from '#lib/time-limit.ts';
import { purgeDiscardedPopularity } from '#db/queries/popularity/sets.ts';
import { rescoreCountries } from '../rescore-countries.ts';
import { decryptPrivateKey, UnreadableKeyError } from './private-key.ts';
import { listWeeks, newestWeek, publicationOf } from './published-weeks.ts';
import { syncWeek, type WeekSync } from './sync-week.ts';

/** Four weeks of all 90 countries take 720. */
export const requestsPerDay = 1_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const timeoutMs = 3 * hourMs;
/** After failures that pass; the last delay repeats until there is a success. */
const retryDelaysMs = [5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs, dayMs];

/** The syncs that run in this process, so that a shutdown can end them. */
const running = new WeakMap<PopularityApi, { work: Promise<void>; stopping: AbortController }>();

/**
 * Starts the sync of weekly popularity when it is due, unless another process has it. It goes on
 * after this returns: it takes longer than a tick may.
 */
export async function startDueSync(services: Services): Promise<void> {
  const { popularityApi, systemDb, clock } = services;
  if (running.has(popularityApi)) return;
  const now = clock.now();
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const row = await acquirePopularitySync(systemDb, { now, leasedUntil });
  if (!row) return;
  const stopping = new AbortController();
  const work = runSync(services, row, stopping.signal).finally(() => running.delete(popularityApi));
  running.set(popularityApi, { work, stopping });
}

/** Resolves when this process syncs nothing. */
export const waitForSync = ({ popularityApi }: Pick<Services, 'popularityApi'>): Promise<void> =>
  running.get(popularityApi)?.work ?? Promise.resolve();

/** Ends a running sync, which is due again at the next start. */
export function stopSync(services: Pick<Services, 'popularityApi'>): Promise<void> {
  running.get(services.popularityApi)?.stopping.abort(new Error('the process is stopping'));
  return waitForSync(services);
}

class DailyLimitError extends Error {}

/** Never rejects: the row has the outcome, and a failed sync is due again later. */
async function runSync(
  services: Services,
  row: PopularitySyncRow,
  stopping: AbortSignal,
): Promise<void> {
  const { systemDb, log, clock } = services;
  const startedAt = row.startedAt!;
  const renewal = keepLease(services, (leasedUntil) =>
    renewPopularityLease(systemDb, startedAt, leasedUntil),
  );
  const ended = AbortSignal.any([renewal.signal, stopping]);
  try {
    const isWaiting = await withTimeLimit({ timeoutMs, signal: ended }, (signal) =>
      syncWeeks(services, row, signal),
    );
    const now = clock.now();
    await finishPopularitySync(systemDb, { startedAt, nextAt: getNext(now, isWaiting), now });
    log.info({}, 'published popularity was synced');
  } catch (error) {
    await recordFailure(services, row, stopping.aborted, error as Error).catch(() => undefined);
  } finally {
    renewal.stop();
  }
}

/** Countries that are tracked later follow within a day; late weeks are looked for every hour. */
function getNext(now: Date, isWaiting: boolean): Date {
  const next = now.getTime() + (isWaiting ? hourMs : dayMs);
  return new Date(Math.min(next, publicationOf(addDays(newestWeek(now), 7)).getTime()));
}

const counting = storeProfiles.flatMap(({ id, popularity }) =>
  (popularity?.devices ?? []).map((device) => ({ store: id, device })),
);

/** True when a week is not published yet. */
async function syncWeeks(
  services: Services,
  row: PopularitySyncRow,
  signal: AbortSignal,
): Promise<boolean> {
  const { systemDb, clock, encryptionKey } = services;
  const key = { ...row, privateKey: decryptPrivateKey(await encryptionKey(), row.privateKey) };
  const weeks = listWeeks(clock.now());
  const countries = await listCountriesToSync(systemDb, {
    stores: counting.map(({ store }) => store),
    devices: counting.map(({ device }) => device),
  });
  const known = await listPopularityWeeks(systemDb, weeks[0]!);
  const onRequest = async () => {
    const count = await countPopularityRequest(systemDb, utcDayOf(clock.now()));
    if (count > requestsPerDay) throw new DailyLimitError();
  };
  const { accountId, startedAt } = row;
  const read = { key, accountId, startedAt: startedAt!, onRequest, signal };
  let isWaiting = false;
  let unreadable: PopularityApiError | null = null;
  for (const country of countries) {
    const missing = listMissing(weeks, country, { known, requestedAt: row.requestedAt });
    try {
      isWaiting = (await syncCountry(services, { ...read, country }, missing)) || isWaiting;
    } catch (error) {
      // The response to one country's request says nothing about the others.
      if (!(error instanceof PopularityApiError) || error.failure !== 'unreadable') throw error;
      const message = `${error.message} The country was ${country.toUpperCase()}.`;
      unreadable ??= new PopularityApiError('unreadable', message, { cause: error });
    }
  }
  while (!signal.aborted && (await purgeDiscardedPopularity(systemDb)) > 0);
  if (unreadable) throw unreadable;
  return isWaiting;
}

/** True when a week is not published yet. */
async function syncCountry(
  services: Services,
  sync: Omit<WeekSync, 'week'>,
  weeks: readonly UtcDay[],
): Promise<boolean> {
  const outcomes: (WeekOutcome | null)[] = [];
  try {
    for (const week of weeks) {
      sync.signal.throwIfAborted();
      outcomes.push(await syncWeek(services, { ...sync, week }));
    }
  } finally {
    if (outcomes.includes('synced'))
      await rescoreCountries(services.systemDb, [sync.country], sync.signal);
  }
  return outcomes.includes(null);
}

/** Weeks without an outcome; with a request since, also the newest one and discarded ones. */
function listMissing(
  weeks: readonly UtcDay[],
  country: string,
  { known, requestedAt }: { known: readonly PopularityWeekRow[]; requestedAt: Date | null },
): UtcDay[] {
  return weeks.filter((week) => {
    const row = known.find((one) => one.country === country && one.week === week);
    if (!row) return true;
    const isReadAgain = week === weeks.at(-1) || row.outcome === 'discarded';
    return isReadAgain && requestedAt !== null && row.updatedAt <= requestedAt;
  });
}

async function recordFailure(
  { systemDb, clock, log }: Services,
  row: PopularitySyncRow,
  isStopping: boolean,
  error: Error,
): Promise<void> {
  const now = clock.now();
  const startedAt = row.startedAt!;
  const end = { startedAt, now, failures: row.failures, failure: null, isRejected: false };
  if (isStopping) return failPopularitySync(systemDb, { ...end, nextAt: now });
  if (error instanceof DailyLimitError) {
    const nextAt = new Date(startOfDayMs(addDays(utcDayOf(now), 1)));
    log.warn({ requestsPerDay }, 'the sync of published popularity continues tomorrow');
    return failPopularitySync(systemDb, { ...end, nextAt });
  }
  const code =
    error instanceof PopularityApiError
      ? error.failure
      : error instanceof UnreadableKeyError
        ? 'unreadable_key'
        : 'internal';
  const isRejected = ['bad_key', 'rejected', 'no_account', 'unreadable_key'].includes(code);
  const waitMs = Math.max(
    retryDelaysMs[Math.min(row.failures, retryDelaysMs.length - 1)]!,
    (error instanceof PopularityApiError && error.retryAfterMs) || 0,
  );
  const nextAt = new Date(now.getTime() + Math.min(waitMs, 7 * dayMs));
  const message = code === 'internal' ? 'The sync failed; the log has the details.' : error.message;
  log.error(
    { alert: 'popularity.sync', code, error: error.message },
    isRejected
      ? 'the sync of published popularity stopped: its key is not accepted'
      : 'the sync of published popularity failed, will retry',
  );
  const failure = { code, message, at: now.toISOString() };
  return failPopularitySync(systemDb, {
    ...end,
    nextAt,
    failures: row.failures + 1,
    failure,
    isRejected,
  });
}
