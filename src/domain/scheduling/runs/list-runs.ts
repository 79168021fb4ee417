import type { z } from 'zod';
import type { run, runDetail, runs } from '#contract/runs.ts';
import type { Tx } from '#db/database.ts';
import { listAnomalyDays, type AnomalyDay } from '#db/queries/anomalies/response-anomalies.ts';
import { listFieldDays } from '#db/queries/drift/field-days.ts';
import { listDriftDays } from '#db/queries/drift/field-drifts.ts';
import { listComparisonDays } from '#db/queries/rankings/provider-comparisons.ts';
import { listShedDayCounts } from '#db/queries/store-tasks/store-task-days.ts';
import {
  countMarketsNow,
  listCountedDays,
  listRunCounts,
  type CountryCounts,
  type MarketCounts,
} from '#db/queries/runs/run-counts.ts';
import {
  findFirstRunDay,
  listFallbackDays,
  listProbeDays,
  listReadDayCounts,
  listRequestDays,
  listRunDetails,
  type ProbeDay,
  type ReadDayCounts,
  type RunDetails,
} from '#db/queries/runs/run-list.ts';
import { addDays, isUtcDay, listDays, maxDay, minDay, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { decodeCursor, encodeCursor } from '#lib/text.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { AppError, notFound } from '#domain/base/errors.ts';
import { mapStores, storeNames, type StoreName, type StoreTaskKind } from '#domain/base/ports.ts';
import { parseDayRange } from '#domain/base/day-window.ts';
import { describeDrifts } from '#domain/tracking/drift/describe-drifts.ts';
import { maySeeInstance } from '../health/get-health.ts';
import { loadNames } from './load-names.ts';
import { isShed } from './shed.ts';

export type RunRecord = z.input<typeof run>;
export type RunDetail = z.input<typeof runDetail>;
type ListOperation = (typeof runs)['GET /runs'];
export type RunList = z.input<ListOperation['responses'][200]>;
type StoreHealth = RunRecord['storeHealth'][number];

/**
 * Lists the daily runs of this workspace's markets, newest first. A day without a run between two
 * runs is `missed`.
 */
export async function listRuns(
  ctx: Ctx,
  query: z.output<ListOperation['query']>,
): Promise<RunList> {
  const showsRequests = await maySeeInstance(ctx);
  return inTenant(ctx, async (tx) => {
    const days = await listRunDays(tx, ctx, parseDayRange(query, ctx.clock.now()));
    const before = query.cursor === undefined ? null : readBefore(query.cursor);
    const left = before === null ? days : days.filter((day) => day < before);
    const page = left.slice(0, query.limit);
    return {
      items: await describeDays(tx, ctx, page, {
        markets: await countMarketDays(tx, ctx, page),
        showsRequests,
      }),
      nextCursor: left.length > page.length ? encodeCursor([page.at(-1)!]) : null,
      total: days.length,
    };
  });
}

/**
 * Returns the run of a day, also by country. Throws not_found for a day that had no run and was not
 * missed.
 */
export async function getRun(ctx: Ctx, date: UtcDay): Promise<RunDetail> {
  const showsRequests = await maySeeInstance(ctx);
  return inTenant(ctx, async (tx) => {
    const [day] = await listRunDays(tx, ctx, { from: date, to: date });
    if (day === undefined) throw notFound();
    const markets = await countMarketDays(tx, ctx, [day]);
    const [record] = await describeDays(tx, ctx, [day], { markets, showsRequests });
    const isOpen = record!.startedAt !== null && record!.finishedAt === null;
    const countries = (markets.get(day) ?? []).map(
      ({ store, country, planned, done, ...counts }) => ({
        store,
        country,
        planned,
        done,
        ...describeGaps({ planned, done, ...counts }, isOpen),
      }),
    );
    return { ...record!, countries };
  });
}

/**
 * The days since the first run of this workspace, newest first; today only once its run is open.
 */
async function listRunDays(
  tx: Tx,
  ctx: Ctx,
  range: { from: UtcDay; to: UtcDay },
): Promise<UtcDay[]> {
  const first = await findFirstRunDay(tx, ctx.workspaceId);
  if (first === null) return [];
  const today = utcDayOf(ctx.clock.now());
  const [opened] = await listRunDetails(tx, [today]);
  const last = opened ? today : addDays(today, -1);
  return listDays(maxDay(range.from, first), minDay(range.to, last)).toReversed();
}

async function describeDays(
  tx: Tx,
  ctx: Ctx,
  days: UtcDay[],
  { markets, showsRequests }: { markets: Map<UtcDay, CountryCounts[]>; showsRequests: boolean },
): Promise<RunRecord[]> {
  if (days.length === 0) return [];
  const details = new Map((await listRunDetails(tx, days)).map((row) => [row.date, row]));
  const reads = Map.groupBy(await listReadDayCounts(tx, ctx.workspaceId, days), (row) => row.date);
  const shed = Map.groupBy(await listShedDayCounts(tx, ctx.workspaceId, days), (row) => row.date);
  const probes = await listProbeDays(tx, days);
  const fallbacks = await listFallbackDays(tx, ctx.workspaceId, days);
  const comparisons = await listComparisonDays(tx, days);
  const anomalies = await listAnomalyDays(tx, days);
  const drifts = await listDriftDays(tx, days);
  const fieldDays =
    drifts.length > 0 ? await listFieldDays(tx, [...new Set(drifts.map(({ date }) => date))]) : [];
  const requests = showsRequests ? await listRequestDays(tx, days) : null;
  return days.map((day) => ({
    ...describeDay(day, details.get(day), sumOf(markets.get(day) ?? []), {
      reads: reads.get(day) ?? [],
      shed: shed.get(day) ?? [],
    }),
    comparisons: comparisons
      .filter(({ date }) => date === day)
      .map(({ date: _, ...comparison }) => comparison),
    storeHealth: storeNames.map((store) => {
      const ofDay = (row: { date: UtcDay; store: StoreName }) =>
        row.date === day && row.store === store;
      const health = healthOf(store, probes.filter(ofDay));
      const counts = requests?.find(ofDay);
      return {
        ...health,
        requests: requests ? (counts?.requests ?? 0) : null,
        refused: requests ? (counts?.refused ?? 0) : null,
        fallbacks: fallbacks.find(ofDay)?.markets ?? 0,
        anomalies: anomalies
          .filter(ofDay)
          .map((anomaly) => describeAnomaly(anomaly, { showsRequests })),
        drifts: describeDrifts(
          drifts.filter(ofDay),
          fieldDays.filter(({ onDate }) => onDate === day),
        ),
      };
    }),
  }));
}

/**
 * Counts by store and country. Past days were counted when they ended; only missing counts are made
 * now.
 */
async function countMarketDays(
  tx: Tx,
  ctx: Ctx,
  days: UtcDay[],
): Promise<Map<UtcDay, CountryCounts[]>> {
  const counted = new Set(await listCountedDays(tx, ctx.workspaceId, days));
  const counts = await listRunCounts(tx, ctx.workspaceId, [...counted]);
  for (const day of days)
    if (!counted.has(day)) counts.push(...(await countMarketsNow(tx, ctx.workspaceId, day)));
  return Map.groupBy(counts, (row) => row.date);
}

function sumOf(rows: readonly MarketCounts[]): MarketCounts {
  const sum = (read: (row: MarketCounts) => number) =>
    rows.reduce((total, row) => total + read(row), 0);
  return {
    planned: sum((row) => row.planned),
    done: sum((row) => row.done),
    shed: sum((row) => row.shed),
    storeError: sum((row) => row.storeError),
    notServed: sum((row) => row.notServed),
    overQuota: sum((row) => row.overQuota),
    notYetRun: sum((row) => row.notYetRun),
    paused: sum((row) => row.paused),
  };
}

function describeDay(
  date: UtcDay,
  details: RunDetails | undefined,
  markets: MarketCounts,
  other: { reads: ReadDayCounts[]; shed: { kind: StoreTaskKind; count: number }[] },
): Omit<RunRecord, 'storeHealth' | 'comparisons'> {
  const isOpen = details !== undefined && details.finishedAt === null;
  const { planned, done } = markets;
  return {
    date,
    state: details?.state ?? 'missed',
    startedAt: details?.openedAt.toISOString() ?? null,
    finishedAt: details?.finishedAt?.toISOString() ?? null,
    planned,
    done,
    ...describeGaps(markets, isOpen),
    ...describeReads(other, (counts) =>
      details && isShed(details, counts.store, 'refresh') ? 'shed' : isOpen ? 'open' : 'over',
    ),
    pressure: mapStores(({ id }) => details?.pressure[id] ?? null),
    coverage: planned === 0 ? null : Math.round((done / planned) * 10_000) / 10_000,
  };
}

/** Work that is pending on an open day is `not_yet_run` on a closed one. */
function describeGaps(
  counts: MarketCounts,
  isOpen: boolean,
): Pick<RunRecord, 'failed' | 'waiting' | 'gaps'> {
  const { planned, done, shed, storeError, notServed, overQuota, notYetRun, paused } = counts;
  const rest = planned - done - shed - storeError - notServed - overQuota - notYetRun;
  return {
    failed: storeError,
    waiting: isOpen ? rest : 0,
    gaps: {
      shed,
      store_error: storeError,
      not_served: notServed,
      over_quota: overQuota,
      not_yet_run: notYetRun + (isOpen ? 0 : rest),
      paused,
    },
  };
}

/** On a closed day, tasks without a result failed unless their kind was shed. */
function describeReads(
  other: { reads: ReadDayCounts[]; shed: { kind: StoreTaskKind; count: number }[] },
  dayOf: (counts: ReadDayCounts) => 'shed' | 'open' | 'over',
): Pick<RunRecord, 'refreshes' | 'shed'> {
  const refreshes = { planned: 0, done: 0, failed: 0 };
  const shed = { appRefreshes: 0, reviews: 0, pages: 0, charts: 0, hints: 0 };
  for (const counts of other.reads) {
    const unread = counts.planned - counts.done;
    refreshes.planned += counts.planned;
    refreshes.done += counts.done;
    refreshes.failed += dayOf(counts) === 'over' ? unread : counts.failed;
    if (dayOf(counts) === 'shed') shed.appRefreshes += unread - counts.failed;
  }
  for (const { kind, count } of other.shed) shed[loadNames[kind]] = count;
  return { refreshes, shed };
}

function healthOf(
  store: StoreHealth['store'],
  probes: readonly ProbeDay[],
): Omit<StoreHealth, 'requests' | 'refused' | 'fallbacks' | 'anomalies' | 'drifts'> {
  const probe = probes.find(({ isOfPositions }) => isOfPositions);
  return {
    store,
    state: probe?.state ?? 'unknown',
    probedAt: probe?.probedAt.toISOString() ?? null,
    marker: probe?.marker ?? null,
    providers: probes.map(({ provider, state, probedAt, marker }) => ({
      provider,
      state,
      probedAt: probedAt.toISOString(),
      marker,
    })),
  };
}

function describeAnomaly(
  { provider, detectedAt, recoveredAt, compared, short, retracted }: AnomalyDay,
  { showsRequests }: { showsRequests: boolean },
): StoreHealth['anomalies'][number] {
  return {
    provider,
    detectedAt: detectedAt.toISOString(),
    recoveredAt: recoveredAt?.toISOString() ?? null,
    compared,
    short,
    retracted: showsRequests ? retracted : null,
  };
}

function readBefore(cursor: string): UtcDay {
  const [day] = decodeCursor(cursor, 1) ?? [];
  if (typeof day !== 'string' || !isUtcDay(day)) throw new AppError('invalid_cursor');
  return day;
}
