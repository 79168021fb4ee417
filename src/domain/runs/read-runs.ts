import type { z } from 'zod';
import type { run, runDetail, runs } from '../../contract/runs.ts';
import type { Tx } from '../../db/database.ts';
import { listShedDayCounts } from '../../db/queries/chore-days.ts';
import { listMarketCountryCounts } from '../../db/queries/run-countries.ts';
import {
  findFirstRunDay,
  listCanaryDays,
  listMarketDayCounts,
  listReadDayCounts,
  listRequestDays,
  listRunDetails,
  maxDaysAtOnce,
  type CanaryDay,
  type MarketCounts,
  type MarketDayCounts,
  type ReadDayCounts,
  type RunDetails,
} from '../../db/queries/run-list.ts';
import { addDays, isUtcDay, listDays, maxDay, minDay, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { decodeCursor, encodeCursor } from '../../lib/text.ts';
import { inTenant, type Ctx } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { storeNames, type ChoreKind } from '../ports.ts';
import { readDayRange } from '../rankings/window.ts';
import { maySeeInstance } from '../service/health.ts';
import { loadNames } from './load-names.ts';
import { isShed } from './shed.ts';

export type RunRecord = z.input<typeof run>;
export type RunDetail = z.input<typeof runDetail>;
type ListOperation = (typeof runs)['GET /runs'];
export type RunList = z.input<ListOperation['responses'][200]>;
type StoreHealth = RunRecord['storeHealth'][number];

/** The daily runs as this workspace's markets met them, newest first; a day without a run between two is `missed`. */
export async function listRuns(ctx: Ctx, query: z.output<ListOperation['query']>): Promise<RunList> {
  const showsRequests = await maySeeInstance(ctx);
  return inTenant(ctx, async (tx) => {
    const days = await listRunDays(tx, ctx, readDayRange(query, ctx.clock.now()));
    const before = query.cursor === undefined ? null : readBefore(query.cursor);
    const left = before === null ? days : days.filter((day) => day < before);
    const page = left.slice(0, query.limit);
    return {
      items: await describeDays(tx, ctx, page, showsRequests),
      nextCursor: left.length > page.length ? encodeCursor([page.at(-1)!]) : null,
      total: days.length,
    };
  });
}

/** One day's run, also by country; not_found for a day that had none and has not been missed. */
export async function getRun(ctx: Ctx, date: UtcDay): Promise<RunDetail> {
  const showsRequests = await maySeeInstance(ctx);
  return inTenant(ctx, async (tx) => {
    const [day] = await listRunDays(tx, ctx, { from: date, to: date });
    if (day === undefined) throw notFound();
    const [record] = await describeDays(tx, ctx, [day], showsRequests);
    const isOpen = record!.startedAt !== null && record!.finishedAt === null;
    const countries = await listMarketCountryCounts(tx, ctx.workspaceId, day);
    return {
      ...record!,
      countries: countries.map(({ store, country, ...counts }) => ({
        store,
        country,
        planned: counts.planned,
        done: counts.done,
        ...describeGaps(counts, isOpen),
      })),
    };
  });
}

/** From the first run this workspace was there for to the newest, newest first; today only when it has been opened. */
async function listRunDays(tx: Tx, ctx: Ctx, range: { from: UtcDay; to: UtcDay }): Promise<UtcDay[]> {
  const first = await findFirstRunDay(tx, ctx.workspaceId);
  if (first === null) return [];
  const today = utcDayOf(ctx.clock.now());
  const [opened] = await listRunDetails(tx, [today]);
  const last = opened ? today : addDays(today, -1);
  return listDays(maxDay(range.from, first), minDay(range.to, last)).toReversed();
}

async function describeDays(tx: Tx, ctx: Ctx, days: UtcDay[], showsRequests: boolean): Promise<RunRecord[]> {
  if (days.length === 0) return [];
  const details = byDate(await listRunDetails(tx, days));
  const markets = byDate(await countMarketDays(tx, ctx, days));
  const reads = Map.groupBy(await listReadDayCounts(tx, ctx.workspaceId, days), (row) => row.date);
  const shed = Map.groupBy(await listShedDayCounts(tx, ctx.workspaceId, days), (row) => row.date);
  const canaries = await listCanaryDays(tx, days);
  const requests = showsRequests ? await listRequestDays(tx, days) : null;
  return days.map((day) => ({
    ...describeDay(day, details.get(day), markets.get(day), { reads: reads.get(day) ?? [], shed: shed.get(day) ?? [] }),
    storeHealth: storeNames.map((store) => {
      const health = healthOf(
        store,
        canaries.find((canary) => canary.date === day && canary.store === store),
      );
      const counts = requests?.find((row) => row.date === day && row.store === store);
      return { ...health, requests: requests ? (counts?.requests ?? 0) : null, refused: requests ? (counts?.refused ?? 0) : null };
    }),
  }));
}

async function countMarketDays(tx: Tx, ctx: Ctx, days: UtcDay[]): Promise<MarketDayCounts[]> {
  const counts: MarketDayCounts[] = [];
  for (let start = 0; start < days.length; start += maxDaysAtOnce) {
    counts.push(...(await listMarketDayCounts(tx, ctx.workspaceId, days.slice(start, start + maxDaysAtOnce))));
  }
  return counts;
}

function describeDay(
  date: UtcDay,
  details: RunDetails | undefined,
  markets: MarketDayCounts | undefined,
  other: { reads: ReadDayCounts[]; shed: { kind: ChoreKind; count: number }[] },
): Omit<RunRecord, 'storeHealth'> {
  const isOpen = details !== undefined && details.finishedAt === null;
  const { planned, done } = markets ?? nothing;
  return {
    date,
    state: details?.state ?? 'missed',
    startedAt: details?.openedAt.toISOString() ?? null,
    finishedAt: details?.finishedAt?.toISOString() ?? null,
    planned,
    done,
    ...describeGaps(markets ?? nothing, isOpen),
    ...describeReads(other, (counts) => (details && isShed(details, counts.store, 'refresh') ? 'shed' : isOpen ? 'open' : 'over')),
    pressure: { ios: details?.pressure.ios ?? null, android: details?.pressure.android ?? null },
    coverage: planned === 0 ? null : Math.round((done / planned) * 10_000) / 10_000,
  };
}

const nothing: MarketCounts = { planned: 0, done: 0, shed: 0, storeError: 0, overQuota: 0, notYetRun: 0, paused: 0 };

/** What an open day still waits for, a closed one has not yet run. */
function describeGaps(counts: MarketCounts, isOpen: boolean): Pick<RunRecord, 'failed' | 'waiting' | 'gaps'> {
  const { planned, done, shed, storeError, overQuota, notYetRun, paused } = counts;
  const rest = planned - done - shed - storeError - overQuota - notYetRun;
  return {
    failed: storeError,
    waiting: isOpen ? rest : 0,
    gaps: { shed, store_error: storeError, over_quota: overQuota, not_yet_run: notYetRun + (isOpen ? 0 : rest), paused },
  };
}

/** Of a closed day whatever was not read failed, unless readings were shed that day. */
function describeReads(
  other: { reads: ReadDayCounts[]; shed: { kind: ChoreKind; count: number }[] },
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

function healthOf(store: StoreHealth['store'], canary: CanaryDay | undefined): Omit<StoreHealth, 'requests' | 'refused'> {
  return { store, state: canary?.state ?? 'unknown', canaryAt: canary?.triedAt.toISOString() ?? null, marker: canary?.marker ?? null };
}

function byDate<Row extends { date: string }>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.date, row]));
}

function readBefore(cursor: string): UtcDay {
  const [day] = decodeCursor(cursor, 1) ?? [];
  if (typeof day !== 'string' || !isUtcDay(day)) throw new AppError('invalid_cursor');
  return day;
}
