import { sql } from 'kysely';
import { readTogether, type Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { packedMarket, unpackMarket } from '../rankings/packed-market.ts';
import type { KeptSerp } from '../serp-chains/kept-serps.ts';
import {
  keyOf,
  listPackedHistory,
  listPackedSpots,
  mergeDays,
} from '../serp-chains/packed-serps.ts';
import { firstDayOfChain, resolveChains } from '../serp-chains/serp-chains.ts';
import { applyIds } from '../serp-chains/serp-difference.ts';

/** A keyword of an app with its newest daily rank, for comparison with other listings. */
export interface LiveKeyword {
  id: number;
  marketId: number;
  phrase: string;
  country: string;
  device: string;
  paused: boolean;
  trackingPeriods: unknown;
  createdAt: Date;
  latestOn: string | null;
  latestPosition: number | null;
  latestDepth: number | null;
  /**
   * The newest score, 0–100, with the oldest day of its evidence. The caller decides by that day
   * whether the score may be shown.
   */
  traffic: { score: number; observedOn: string } | null;
}

export interface LiveKeywordFilter {
  country?: string | undefined;
  device?: string | undefined;
  keywordIds?: number[] | undefined;
}

const keywordBytes = 36;
/** The epochs of a timestamp's eight bytes in microseconds, and of a date's four bytes in days. */
const postgresEpochMs = Date.UTC(2000, 0, 1);
const noTraffic = -1;

/**
 * The live keywords of an app, including paused ones, ordered by id. Packed into one row, like
 * `listLatest`.
 */
export async function listLiveKeywords(
  tx: Tx,
  workspaceId: number,
  filter: LiveKeywordFilter & { appId: number },
): Promise<LiveKeyword[]> {
  const { country = null, device = null, keywordIds = null } = filter;
  const { rows } = await sql<
    Row<
      'live-keywords',
      { heads: Buffer | null; markets: string; trackingPeriods: string },
      'markets' | 'trackingPeriods'
    >
  >`/* live-keywords */
    select string_agg(int4send(id) || int4send(market_id) || timestamptz_send(created_at) ||
      int4send(coalesce(latest_on - date '2000-01-01', 0))
        || int2send(coalesce(latest_position, 0::int2)) || int2send(coalesce(latest_depth,
          0::int2)) || int4send(coalesce(traffic,
          ${noTraffic}::int)) || int4send(coalesce(observed_on - date '2000-01-01', 0))
        || int4send(paused::int), null) as heads,
      string_agg(${packedMarket}, E'\n') as markets,
      string_agg(tracking_periods, E'\n') as "trackingPeriods"
    from (
      select k.id, k.market_id, k.created_at, k.latest_on, k.latest_position, k.latest_depth,
        s.traffic, s.observed_on, k.paused, k.country, k.device, k.phrase,
        k.tracking_periods::text
      from keywords k left join market_scores s on s.market_id = k.market_id
      where k.workspace_id = ${workspaceId} and k.app_id = ${filter.appId} and k.archived_at is null
        and (${country}::text is null or k.country = ${country})
        and (${device}::text is null or k.device = ${device})
        and (${keywordIds}::int[] is null or k.id = any(${keywordIds}))
      order by k.id
    ) evaluated`.execute(tx);
  const { heads, markets, trackingPeriods } = rows[0]!;
  if (heads === null) return [];
  const [dayOf, trackingPeriodsOf] = [
    once(dayOfNumber),
    once((text: string) => JSON.parse(text) as unknown),
  ];
  const allTrackingPeriods = trackingPeriods.split('\n');
  return markets.split('\n').map((market, index) => {
    const at = index * keywordBytes;
    const depth = heads.readInt16BE(at + 22);
    const traffic = heads.readInt32BE(at + 24);
    return {
      id: heads.readInt32BE(at),
      marketId: heads.readInt32BE(at + 4),
      ...unpackMarket(market),
      createdAt: new Date(
        postgresEpochMs + Math.floor(Number(heads.readBigInt64BE(at + 8)) / 1_000),
      ),
      trackingPeriods: trackingPeriodsOf(allTrackingPeriods[index]!),
      latestOn: depth === 0 ? null : dayOf(heads.readInt32BE(at + 16)),
      latestPosition: heads.readInt16BE(at + 20) || null,
      latestDepth: depth || null,
      traffic:
        traffic === noTraffic
          ? null
          : { score: traffic, observedOn: dayOf(heads.readInt32BE(at + 28)) },
      paused: heads.readInt32BE(at + 32) === 1,
    };
  });
}

/** The stored positions of a market-day. */
export interface StoredRow {
  marketId: number;
  date: string;
  depth: number;
  provider: string;
  resultCount: number;
  isExhausted: boolean;
  ids: Buffer;
}

const headBytes = 16;
const isWhole = -1;
/**
 * A negative depth means that the store had no further results. The last number is the days since
 * the whole list that the ids are a difference from, at the end of a chain.
 */
const head = sql`
  int4send(p.market_id) || int4send(p.on_date - date '2000-01-01')
  || int2send((case p.ended when 'exhausted' then -p.depth else p.depth end)::int2)
  || int2send(p.result_count) || int2send(length(p.ids)::int2)
  || int2send(coalesce(p.on_date - p.whole_on, ${isWhole}::int)::int2)`;

/** The stored positions of some market-days; days without results are omitted. */
export async function listStoredRows(
  tx: Tx,
  spots: { marketIds: number[]; dates: string[] },
): Promise<StoredRow[]> {
  const { rows } = await sql<Row<'stored-rows', PackedRows>>`/* stored-rows */
    select string_agg(${head}, null) as heads, string_agg(p.ids, null) as ids,
      string_agg(p.provider, E'\n') as providers
    from (
      select distinct on (p.market_id, p.on_date) p.*
      from unnest(${spots.marketIds}::int[], ${spots.dates}::date[])
        as requested(market_id, on_date)
      join serps t on t.market_id = requested.market_id and t.on_date = requested.on_date
      join serps p on p.market_id = t.market_id
        and p.on_date between coalesce(t.whole_on, t.on_date) and t.on_date
      order by p.market_id, p.on_date
    ) p`.execute(tx);
  const requested = spots.dates.map((date, at) => ({ marketId: spots.marketIds[at]!, date }));
  const keys = new Set(requested.map(keyOf));
  const stored = unpackRows(rows[0]!).filter((row) => keys.has(keyOf(row)));
  const known = new Set(stored.map(keyOf));
  const packed = await listPackedSpots(
    tx,
    requested.filter((spot) => !known.has(keyOf(spot))),
  );
  return mergeDays(stored, packed.map(toStoredRow));
}

/** All stored positions of markets from `from` to `to`: those of each market, oldest first. */
export async function listStoredHistory(
  tx: Tx,
  range: { marketIds: number[]; from: string; to: string },
): Promise<Map<number, StoredRow[]>> {
  const [plain, packed] = await readTogether(
    tx,
    () => listPlainHistory(tx, range),
    () => listPackedHistory(tx, range),
  );
  for (const [marketId, days] of Map.groupBy(packed, (row) => row.marketId))
    plain.set(marketId, mergeDays(plain.get(marketId) ?? [], days.map(toStoredRow)));
  return plain;
}

const toStoredRow = ({
  marketId,
  date,
  depth,
  provider,
  resultCount,
  ended,
  ids,
}: KeptSerp): StoredRow => ({
  marketId,
  date,
  depth,
  provider,
  resultCount,
  isExhausted: ended === 'exhausted',
  ids,
});

/** Days that one number names, a bit for each. */
const daysOfNumber = 63;
const spanBytes = 22;
/** Days since 2000 of the list that the ids are a difference from; 0 for a whole list. */
const chainDay = sql`coalesce(whole_on - date '2000-01-01', 0)::int8`;
const spanHead = sql`int8send(packed) || int8send(days) || int4send(counted) ||
  int2send(length(ids)::int2)`;

/**
 * On most days a market has the results of the day before, and equal ones are sent once. They are
 * grouped by two numbers: with each of their columns that takes a third longer.
 */
async function listPlainHistory(
  tx: Tx,
  range: { marketIds: number[]; from: string; to: string },
): Promise<Map<number, StoredRow[]>> {
  const first = firstDayOfChain(range.from);
  const { rows } = await sql<
    Row<'stored-history', PackedSpans, 'heads' | 'ids'>
  >`/* stored-history */
    select provider, string_agg(${spanHead}, null) as heads, string_agg(ids, null) as ids
    from (
      select (market_id::int8 << 32) | (${chainDay} << 16)
          | ((on_date - ${first}::date) / ${daysOfNumber}::int << 8) | depth as packed,
        ((ended = 'exhausted')::int << 16) | result_count as counted, provider, ids,
        bit_or(1::int8 << (on_date - ${first}::date) % ${daysOfNumber}::int) as days
      from serps where market_id = any(${range.marketIds}::int[])
        and on_date between ${first}::date and ${range.to}::date
      group by 1, 2, 3, 4
    ) p group by provider`.execute(tx);
  const ofMarket = new Map<number, StoredLink[]>();
  for (const row of rows) unpackSpans(row, numberOfDay(first), ofMarket);
  return new Map(
    ofMarket.entries().map(([marketId, byDay]) => {
      const links = byDay.filter((link) => link !== undefined);
      return [marketId, resolveLists(links).filter(({ date }) => date >= range.from)];
    }),
  );
}

interface PackedSpans {
  provider: string;
  heads: Buffer;
  ids: Buffer;
}

interface StoredLink extends StoredRow {
  /** The day of the whole list that the ids are a difference from. */
  wholeOn: string | null;
}

/** Adds the days of each market at their distance from `first`. */
function unpackSpans(
  { provider, heads, ids: all }: PackedSpans,
  first: number,
  ofMarket: Map<number, StoredLink[]>,
): void {
  const dayOf = once(dayOfNumber);
  let end = 0;
  for (let at = 0; at < heads.length; at += spanBytes) {
    const marketId = heads.readInt32BE(at);
    const chainedTo = heads.readUInt16BE(at + 4);
    const shared = {
      marketId,
      depth: heads[at + 7]!,
      provider,
      resultCount: heads.readInt16BE(at + 18),
      isExhausted: heads[at + 17] === 1,
      ids: all.subarray(end, (end += heads.readUInt16BE(at + 20))),
      wholeOn: chainedTo === 0 ? null : dayOf(chainedTo),
    };
    let byDay = ofMarket.get(marketId);
    if (!byDay) ofMarket.set(marketId, (byDay = []));
    const start = heads[at + 6]! * daysOfNumber;
    for (const [bits, day] of [
      [heads.readUInt32BE(at + 12), start],
      [heads.readUInt32BE(at + 8), start + 32],
    ] as const)
      for (let rest = bits; rest !== 0; rest = (rest & (rest - 1)) >>> 0) {
        const number = day + lowestBit(rest);
        byDay[number] = { ...shared, date: dayOf(first + number) };
      }
  }
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

const resolveLists = (rows: readonly StoredLink[]): StoredRow[] =>
  resolveChains(rows, (base, row) => ({ ...row, ids: applyIds(base.ids, row.ids) }));

interface PackedRows {
  heads: Buffer | null;
  ids: Buffer | null;
  providers: string | null;
}

function unpackRows({ heads, ids, providers }: PackedRows): StoredRow[] {
  if (heads === null) return [];
  const providerOf = (providers ?? '').split('\n');
  const dayOf = once(dayOfNumber);
  let end = 0;
  const rows = Array.from({ length: heads.length / headBytes }, (_, index) => {
    const at = index * headBytes;
    const depth = heads.readInt16BE(at + 8);
    const day = heads.readInt32BE(at + 4);
    const chainDays = heads.readInt16BE(at + 14);
    const start = end;
    end += heads.readInt16BE(at + 12);
    return {
      marketId: heads.readInt32BE(at),
      date: dayOf(day),
      depth: Math.abs(depth),
      provider: providerOf[index]!,
      resultCount: heads.readInt16BE(at + 10),
      isExhausted: depth < 0,
      ids: ids!.subarray(start, end),
      wholeOn: chainDays === isWhole ? null : dayOf(day - chainDays),
    };
  });
  return resolveLists(rows);
}

const numberOfDay = (day: string): number => (Date.parse(day) - postgresEpochMs) / 86_400_000;

function dayOfNumber(number: number): string {
  return new Date(postgresEpochMs + number * 86_400_000).toISOString().slice(0, 10);
}

/** Caches conversions, because nearly all rows have the same few values. */
function once<K, V>(read: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.has(key) ? known.get(key)! : read(key);
    known.set(key, value);
    return value;
  };
}
