import { textTables } from '#spreadsheets/text-tables.ts';
import type pg from 'pg';
import { defaultProvidersOf, mapStores } from '#domain/base/ports.ts';
import type { Ctx } from '#domain/base/context.ts';
import { encodePosition, encodeDay } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { packIds, packStrengths } from '#domain/tracking/rankings/pack-serp.ts';
import { keywordScoreReader } from '#domain/insights/scores/keyword-score-reader.ts';
import { ruleTags } from '#domain/alerting/alerts/rule-tags.ts';
import { TestClock } from '#lib/clock.ts';
import {
  addDays,
  dayIndexInMonth,
  listDays,
  monthOf,
  startOfDayMs,
  type UtcDay,
} from '#lib/dates.ts';
import { silentLogger } from '#lib/logger.ts';
import type { TestDatabase } from './database.ts';

export const scales = {
  small: { apps: 3, markets: 75, days: 7 },
  target: { apps: 20, markets: 8_000, days: 90 },
  stress: { apps: 50, markets: 75_000, days: 90 },
} as const;

export interface HistoryPlan {
  /** An existing workspace; a new one without it. */
  workspaceId?: number;
  apps: number;
  /** Each is tracked by one app. */
  markets: number;
  days: number;
  lastDay: UtcDay;
  /** Share of days without a result; half of them with a reason. */
  gapShare?: number;
  /** Newest days with stored results. */
  serpDays?: number;
  /**
   * `months` writes whole months; `days` writes each day into them as the daily run does; `none`
   * leaves them out.
   */
  fill?: 'months' | 'days' | 'none';
}

export interface HistoryKeyword {
  id: number;
  appId: number;
  listingId: number;
  marketId: number;
  depth: number;
  /** Number of the keyword in the history; the argument of `groundTruthOf`. */
  number: number;
}

export interface History {
  workspaceId: number;
  appIds: number[];
  keywords: HistoryKeyword[];
  days: UtcDay[];
  /** The rows written for a keyword on a day. */
  groundTruthOf(keyword: HistoryKeyword, day: UtcDay): GroundTruth | null;
}

export interface GroundTruth {
  position: number | null;
  depth: number;
  seconds: number;
}

const countries = ['us', 'de', 'jp', 'gb', 'fr', 'br'];
const depth = 200;
const serpDepth = 50;

/** A workspace with apps, keywords and their stored past; the same plan creates the same past. */
export async function seedHistory(pool: pg.Pool, plan: HistoryPlan): Promise<History> {
  const days = listDays(addDays(plan.lastDay, 1 - plan.days), plan.lastDay);
  const { workspaceId, appIds, keywords } = await insertTracking(pool, plan, days);
  const groundTruthOf = (keyword: HistoryKeyword, day: UtcDay) =>
    generateGroundTruth(keyword.number, day, plan.gapShare ?? 0);
  const history = { workspaceId, appIds, keywords, days, groundTruthOf };
  if (plan.fill === 'none') return history;
  await (plan.fill === 'days' ? fillDays(pool, history) : fillMonths(pool, history));
  await updateNewest(pool, history);
  if (plan.gapShare) await insertGaps(pool, history);
  if (plan.serpDays) await insertSerps(pool, history, days.slice(-plan.serpDays));
  await pool.query('analyze');
  return history;
}

/** It exists since its past begins. */
async function insertWorkspace(pool: pg.Pool, since: string): Promise<number> {
  const { rows } = await pool.query(
    `insert into workspaces (name, created_at) values ('history', $1) returning id`,
    [since],
  );
  return rows[0].id as number;
}

async function insertTracking(pool: pg.Pool, plan: HistoryPlan, days: UtcDay[]) {
  const [first, since] = [days[0]!, `${days[0]!}T00:00:00Z`];
  const workspaceId = plan.workspaceId ?? (await insertWorkspace(pool, since));
  // No earlier history in the same database uses these names.
  const start = (await pool.query('select coalesce(max(id), 0) as id from listings')).rows[0]
    .id as number;
  const listings = await pool.query(
    `insert into listings (store, store_app_id, name) select 'ios', 600000000 + $1::int + n, ` +
      `'App ' || n from generate_series(1, $2::int) n returning id`,
    [start, plan.apps],
  );
  const apps = await pool.query(
    'insert into apps (workspace_id, listing_id, primary_country, created_at) select $1, id, ' +
      `'us', $2 from unnest($3::int[]) id returning id, listing_id`,
    [workspaceId, since, listings.rows.map((row) => row.id)],
  );
  const markets = await pool.query(
    `insert into markets (store, country, device, phrase)
     select 'ios', ($1::text[])[1 + n % array_length($1::text[], 1)], 'iphone',
       'word ' || n || ' of ' || $2
       from generate_series(0, $3::int - 1) n returning id`,
    [countries, start, plan.markets],
  );
  await pool.query(
    `insert into market_schedule (market_id, store, depth, usual_requests) select id, 'ios', ` +
      '$1, 1 from unnest($2::int[]) id',
    [depth, markets.rows.map((row) => row.id)],
  );
  const perApp = plan.markets / plan.apps;
  const appOf = (number: number) =>
    apps.rows[Math.floor(number / perApp)] as { id: number; listing_id: number };
  const marketIds = markets.rows.map((row) => row.id as number);
  const inserted = await pool.query(
    `insert into keywords (workspace_id, app_id, market_id, country, device, phrase, depth,
       tracking_periods, created_at)
     select $1, app_id, market_id, m.country, m.device, m.phrase, $2::int, $3::jsonb, $4
     from unnest($5::int[], $6::int[]) with ordinality as k(app_id, market_id, number)
       join markets m on m.id = market_id order by number returning id`,
    [
      workspaceId,
      depth,
      JSON.stringify([[first, depth]]),
      since,
      marketIds.map((_, number) => appOf(number).id),
      marketIds,
    ],
  );
  const keywords = inserted.rows.map((row, number): HistoryKeyword => ({
    id: row.id,
    appId: appOf(number).id,
    listingId: appOf(number).listing_id,
    marketId: marketIds[number]!,
    depth,
    number,
  }));
  return { workspaceId, appIds: apps.rows.map((row) => row.id as number), keywords };
}

/**
 * A position that drifts around the keyword's own; a quarter of the keywords is never found, one
 * result in twenty is shallow.
 */
function generateGroundTruth(number: number, day: UtcDay, gapShare: number): GroundTruth | null {
  const dayNumber = startOfDayMs(day) / 86_400_000;
  const noise = mix(number * 100_003 + dayNumber);
  if (noise % 1_000 < gapShare * 1_000) return null;
  const examined = (noise >>> 10) % 20 === 0 ? 30 : depth;
  const home = 1 + (mix(number) % 120);
  const position =
    home + Math.round(8 * Math.sin((dayNumber + number) / 9)) + ((noise >>> 16) % 7) - 3;
  const isFound = mix(number + 7) % 4 !== 0 && position >= 1 && position <= examined;
  return {
    position: isFound ? position : null,
    depth: examined,
    seconds: 7_200 + ((noise >>> 3) % 40_000),
  };
}

/** A fixed 32-bit hash. */
function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

async function fillMonths(pool: pg.Pool, history: History): Promise<void> {
  const months = Map.groupBy(history.days, monthOf);
  for (const [month, days] of months) {
    for (const keywords of chunk(history.keywords, 5_000)) {
      const packed = keywords.map((keyword) => packMonth(keyword, days, history));
      const marketIds = keywords.map((keyword) => keyword.marketId);
      await pool.query(
        `insert into rank_months (listing_id, month, market_id, daily_ranks, depths)
         select a, $1, b, c, d from unnest($2::int[], $3::int[], $4::bytea[], $5::bytea[])
           as k(a, b, c, d)`,
        [
          month,
          keywords.map((keyword) => keyword.listingId),
          marketIds,
          packed.map((bytes) => bytes.cells),
          packed.map((bytes) => bytes.depths),
        ],
      );
      await pool.query(
        'insert into market_months (market_id, month, days) select b, $1, d from ' +
          'unnest($2::int[], $3::bytea[]) as k(b, d)',
        [month, marketIds, packed.map((bytes) => bytes.days)],
      );
    }
  }
}

function packMonth(
  keyword: HistoryKeyword,
  days: readonly UtcDay[],
  history: History,
): { cells: Buffer; depths: Buffer; days: Buffer } {
  const bytes = { cells: Buffer.alloc(31), depths: Buffer.alloc(31), days: Buffer.alloc(124) };
  for (const day of days) {
    const truth = history.groundTruthOf(keyword, day);
    if (!truth) continue;
    bytes.cells[dayIndexInMonth(day)] = encodePosition(truth.position);
    bytes.depths[dayIndexInMonth(day)] = truth.depth;
    encodeDay(truth.depth, truth.seconds).copy(bytes.days, dayIndexInMonth(day) * 4);
  }
  return bytes;
}

/** Each day into the months, in another order every day, with the expressions of record-check. */
async function fillDays(pool: pg.Pool, history: History): Promise<void> {
  for (const day of history.days) {
    const index = dayIndexInMonth(day);
    const sorted = history.keywords.toSorted(
      (a, b) => mix(a.number + index * 7_919) - mix(b.number + index * 7_919),
    );
    for (const keywords of chunk(sorted, 250)) {
      const checked = keywords.flatMap((keyword) => {
        const truth = history.groundTruthOf(keyword, day);
        return truth ? [{ keyword, truth }] : [];
      });
      await pool.query(
        `with seen as (
           select * from unnest($1::int[], $2::int[], $3::int[], $4::bytea[])
             as s(listing_id, market_id, cell, bytes)
         ), examined as (
           insert into market_months as m (market_id, month, days)
           select market_id, $5, overlay(decode(repeat('00', 124), 'hex') placing bytes
             from $6::int * 4 + 1) from seen
           on conflict (market_id, month) do update
           set days = overlay(m.days placing substring(excluded.days from $6::int * 4 + 1 for 4)
             from $6::int * 4 + 1)
         )
         insert into rank_months as r (listing_id, month, market_id, daily_ranks, depths)
         select listing_id, $5, market_id, set_byte(decode(repeat('00', 31), 'hex'), $6::int, cell),
           set_byte(decode(repeat('00', 31), 'hex'), $6::int, get_byte(bytes, 0)) from seen
         on conflict (listing_id, month, market_id) do update set
           daily_ranks = set_byte(r.daily_ranks, $6::int, get_byte(excluded.daily_ranks, $6::int)),
           depths = set_byte(r.depths, $6::int, get_byte(excluded.depths, $6::int))`,
        [
          checked.map(({ keyword }) => keyword.listingId),
          checked.map(({ keyword }) => keyword.marketId),
          checked.map(({ truth }) => encodePosition(truth.position)),
          checked.map(({ truth }) => encodeDay(truth.depth, truth.seconds)),
          monthOf(day),
          index,
        ],
      );
    }
  }
}

async function updateNewest(pool: pg.Pool, history: History): Promise<void> {
  const newest = history.keywords.flatMap((keyword) => {
    const day = history.days.findLast(
      (candidate) => history.groundTruthOf(keyword, candidate) !== null,
    );
    return day === undefined
      ? []
      : [{ id: keyword.id, day, truth: history.groundTruthOf(keyword, day)! }];
  });
  await pool.query(
    `update keywords set latest_on = n.day, latest_position = n.position, latest_depth = n.depth,
       latest_at = n.day::timestamp at time zone 'UTC' + make_interval(secs => n.seconds)
     from unnest($1::int[], $2::date[], $3::int[], $4::int[], $5::int[])
       as n(id, day, position, depth, seconds) where keywords.id = n.id`,
    [
      newest.map((row) => row.id),
      newest.map((row) => row.day),
      newest.map((row) => row.truth.position),
      newest.map((row) => row.truth.depth),
      newest.map((row) => row.truth.seconds),
    ],
  );
}

async function insertGaps(pool: pg.Pool, history: History): Promise<void> {
  const gaps = history.keywords.flatMap((keyword) =>
    history.days
      .filter((day) => history.groundTruthOf(keyword, day) === null && hasReason(keyword, day))
      .map((day) => ({ marketId: keyword.marketId, day })),
  );
  await pool.query(
    'insert into market_gaps (market_id, on_date, reason, marker) select a, b, ' +
      `'store_error', '429' from unnest($1::int[], $2::date[]) as g(a, b)`,
    [gaps.map((gap) => gap.marketId), gaps.map((gap) => gap.day)],
  );
}

/** Whether a day without a result has a reason. */
export function hasReason(keyword: HistoryKeyword, day: UtcDay): boolean {
  return mix(keyword.number + startOfDayMs(day) / 86_400_000) % 2 === 0;
}

async function insertSerps(
  pool: pg.Pool,
  history: History,
  days: readonly UtcDay[],
): Promise<void> {
  const { rows } = await pool.query(
    `with l as (insert into listings (store, store_app_id, name, developer)
       select 'ios', 700000000 + $1::int + n, 'Competitor ' || n, 'Maker ' || n % 40
       from generate_series(1, 500) n returning id), r as (
       insert into listing_ratings
       select id, m.country, 4.5, 10 * row_number() over (partition by m.country order by id),
         '2020-01-01'
       from l cross join (select distinct country from markets) m)
     select id from l order by id`,
    [history.keywords[0]?.listingId ?? 0],
  );
  for (const keywords of chunk(history.keywords, 500)) {
    const kept = keywords.flatMap((keyword) =>
      days.flatMap((day) =>
        storedResults(
          keyword,
          day,
          history,
          rows.map((row) => row.id as number),
        ),
      ),
    );
    await pool.query(
      `insert into serps (market_id, on_date, depth, result_count, ended, provider, ids, strengths)
       select a, b, c, c, 'depth', 'test', d, $5
         from unnest($1::int[], $2::date[], $3::int[], $4::bytea[]) as k(a, b, c, d)`,
      [
        kept.map((row) => row.marketId),
        kept.map((row) => row.day),
        kept.map((row) => row.depth),
        kept.map((row) => row.ids),
        packStrengths(
          Array.from({ length: 10 }, (_, index) => ({
            rating: index === 3 ? null : 4.25,
            ratingCount: 100 * index,
          })),
        ),
      ],
    );
  }
}

function storedResults(
  keyword: HistoryKeyword,
  day: UtcDay,
  history: History,
  listingIds: number[],
) {
  const truth = history.groundTruthOf(keyword, day);
  if (!truth) return [];
  const start = mix(keyword.number) % 400;
  const results = listingIds.slice(start, start + Math.min(serpDepth, truth.depth));
  if (truth.position !== null && truth.position <= results.length)
    results[truth.position - 1] = keyword.listingId;
  return [{ marketId: keyword.marketId, day, depth: truth.depth, ids: packIds(results) }];
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** A person of the workspace at an instant; enough of a Ctx for verbs that only read. */
export function readerOf(
  database: Pick<TestDatabase, 'appDb' | 'systemDb'>,
  workspaceId: number,
  now: string,
): Ctx {
  const unused = () => {
    throw new Error('a reader does not do this');
  };
  return {
    appDb: database.appDb,
    readDb: database.appDb,
    systemDb: database.systemDb,
    clock: new TestClock(now),
    stores: new Proxy({} as Ctx['stores'], { get: unused }),
    images: { read: unused },
    searchDelay: { wait: unused },
    keywordScores: keywordScoreReader,
    tagReferences: ruleTags,
    settings: {
      dailyRunAtMinutes: 0,
      serpStoredDepth: serpDepth,
      keepDays: { serps: 400, events: 400, jobs: 90, scoreProvenance: 90 },
      searchProviders: mapStores(defaultProvidersOf),
      comparisonPercent: 0,
      hostRequestsPerMinute: { 'apps.apple.com': 15 },
      requestsPerMinute: mapStores(() => 15),
      endpoints: () => 1,
      egress: () => [{ name: 'direct', consecutiveFailures: 0, unavailableUntil: null }],
      billingEnabled: false,
      diskBudgetBytes: 0,
      operatorEmails: [],
      signUpOpen: false,
      publicUrl: null,
    },
    webhooks: { checkUrl: unused, send: unused },
    mailer: null,
    payments: null,
    backups: null,
    parquet: null,
    popularityFiles: { importFile: unused },
    historyFiles: { checkFile: unused, tables: textTables },
    popularityApi: { findAccount: unused, readWeek: unused },
    updates: null,
    encryptionKey: unused,
    queueCapacity: { usedBytes: async () => 0, capBytes: 1 },
    log: silentLogger,
    wake: unused,
    workspaceId,
    workspaceState: 'live',
    actor: {
      kind: 'session',
      userId: 1,
      sessionId: 1,
      role: 'owner',
      email: 'owner@example.test',
      operator: false,
    },
  };
}
