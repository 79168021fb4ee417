import type pg from 'pg';
import { openDatabase } from '#db/database.ts';
import { packProvenance, unpackProvenance } from '#db/queries/scores/packed-provenance.ts';
import { listSerpHistory } from '#db/queries/serp-chains/kept-serps.ts';

const market = "concat_ws(' ', m.store, m.country, m.device, m.phrase)";
const listing = "concat_ws(' ', l.store, l.store_app_id)";
const task = "concat_ws(' ', t.store, t.country, t.chart, t.category)";
/** The apps of packed ids of four bytes each. */
const apps = (ids: string) => `array(select i.store_app_id
  from generate_series(0, length(${ids}) / 4 - 1) as n join listings i on i.id =
    ('x' || encode(substring(${ids} from n * 4 + 1 for 4), 'hex'))::bit(32)::int order by n)`;

/**
 * The tables of public facts with names instead of ids, whole but for what a workspace's file does
 * not have: when reviews from before the beginning were first seen, and positions of competitors
 * beyond the stored results.
 */
const queries: Record<string, string> = {
  rank_months: `select ${market} as market, ${listing} as listing, r.month::text,
    encode(r.daily_ranks, 'hex') as ranks, encode(r.depths, 'hex') as depths
    from rank_months r join markets m on m.id = r.market_id join listings l on l.id = r.listing_id
    where r.listing_id in (select listing_id from apps)`,
  competitor_positions: `select ${market} as market, ${listing} as listing, r.date::text,
    r.position, r.depth
    from rankings r join markets m on m.id = r.market_id join listings l on l.id = r.listing_id
      join serps s on s.market_id = r.market_id and s.on_date = r.date
    where r.listing_id not in (select listing_id from apps)
      and r.position <=
        case when s.whole_on is null then length(s.ids) / 4 else get_byte(s.ids, 0) end`,
  market_months: `select ${market} as market, d.month::text, encode(d.days, 'hex') as days
    from market_months d join markets m on m.id = d.market_id`,
  position_series: 'select store, from_day::text, provider from position_series',
  scores: `select ${market} as market, s.scored_at, s.observed_on::text, s.traffic, s.difficulty,
    s.formula, coalesce(n.provenance, p.provenance) as provenance,
    encode(coalesce(n.packed, p.packed), 'hex') as packed,
    row_number() over (partition by s.market_id order by s.id)
    from scores s join markets m on m.id = s.market_id
    left join market_scores c on c.score_id = s.id
    left join market_provenance n on n.market_id = c.market_id
    left join score_provenance p on p.score_id = s.id`,
  market_scores: `select ${market} as market, s.scored_at, s.observed_on::text, s.serp_on::text,
    s.traffic, s.difficulty, s.confidence, s.traffic_low, s.traffic_high, s.difficulty_low,
    s.difficulty_high
    from market_scores s join markets m on m.id = s.market_id`,
  charts: `select ${task} as chart, c.on_date::text, c.depth, c.read_at, ${apps('c.ids')} as apps
    from charts c join store_tasks t on t.id = c.store_task_id`,
  snapshots: `select ${listing} as listing, s.country, s.language, s.taken_at,
    encode(s.content_hash, 'hex') as hash, s.fields,
    row_number() over (partition by s.listing_id, s.country order by s.id)
    from snapshots s join listings l on l.id = s.listing_id`,
  changes: `select ${listing} as listing, c.country, c.language, c.field, c.before, c.after,
    c.version, c.detected_at, c.previous_at, s.taken_at as snapshot
    from changes c join listings l on l.id = c.listing_id
    left join snapshots s on s.id = c.snapshot_id`,
  reviews: `select ${listing} as listing, r.country, r.store_review_id, r.author, r.rating, r.title,
    r.body, r.version, r.language, r.reviewed_at, r.edited_at, r.reply, r.reply_at,
    case when r.dated_at >= (select min(created_at)::date from apps) then r.first_seen_at end
      as first_seen_at
    from reviews r join listings l on l.id = r.listing_id`,
  listing_days: `select ${listing} as listing, d.country, d.on_date::text, d.rating,
    d.rating_count, d.installs::text, d.price_micros::text, d.read_at
    from listing_days d join listings l on l.id = d.listing_id`,
  rating_days: `select ${listing} as listing, d.country, d.on_date::text, d.rating,
    d.rating_count, d.histogram from rating_days d join listings l on l.id = d.listing_id`,
};

/**
 * The rows of every table of public facts as sorted texts; from `today` on the search providers are
 * those of the instance.
 */
export async function readPublicFacts(
  pool: pg.Pool,
  today = '9999-12-31',
): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  for (const [table, query] of Object.entries(queries)) {
    const { rows } = await pool.query<{ row: string }>(
      `select to_jsonb(one)::text as row from (${query}) as one order by 1`,
    );
    const texts = rows.map(({ row }) => row);
    tables.set(table, table === 'position_series' ? texts.filter(isBefore(today)) : texts);
  }
  tables.set('scores', tables.get('scores')!.map(unpackScore).toSorted());
  tables.set('serps', await readSerps(pool));
  return tables;
}

/** Whole lists: how they are stored depends on the order in which they were written. */
async function readSerps(pool: pg.Pool): Promise<string[]> {
  const markets = await readNames(pool, `select m.id, ${market} as name from markets m`);
  const listings = await readNames(pool, `select l.id, ${listing} as name from listings l`);
  const serps = await listSerpHistory(openDatabase(pool), {
    marketIds: [...markets.keys()],
    from: '2000-01-01',
    to: '2100-01-01',
  });
  const texts = serps.map(({ marketId, ids, strengths, ...serp }) => {
    const apps = Array.from({ length: ids.length / 4 }, (_, index) =>
      listings.get(ids.readUInt32BE(index * 4)),
    );
    const { date, depth, resultCount, ended, provider, language, ads } = serp;
    return JSON.stringify([
      markets.get(marketId),
      date,
      depth,
      resultCount,
      ended,
      provider,
      language,
      ads,
      apps,
      strengths.toString('hex'),
    ]);
  });
  return texts.toSorted();
}

async function readNames(pool: pg.Pool, query: string): Promise<Map<number, string>> {
  const { rows } = await pool.query<{ id: number; name: string }>(query);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A provenance has two stored forms. */
function unpackScore(row: string): string {
  const { packed, provenance, ...score } = JSON.parse(row) as {
    packed: string | null;
    provenance: unknown;
  };
  const value = packed === null ? provenance : unpackProvenance(Buffer.from(packed, 'hex'));
  return JSON.stringify({ ...score, provenance: packProvenance(value).toString('hex') });
}

const isBefore = (day: string) => (row: string) =>
  (JSON.parse(row) as { from_day: string }).from_day < day;
