import type pg from 'pg';
import { eventSamples } from '#contract/events.ts';
import { addDays, startOfDayMs } from '#lib/dates.ts';
import type { History } from '#tests/harness/history.ts';

const competitors = 300;
/**
 * Every competitor has a row in each market and month, as the daily run writes them: 1.5 million a
 * month, which take half a minute to write. By default pages read ninety days of them.
 */
const competitorMonths = Number(process.env.BENCH_COMPETITOR_MONTHS ?? 4);

/**
 * Competitors, listings, ratings, reviews, charts, scores, runs, events and actions of an app, as
 * long as its history. Written by the server itself, which is quicker than COPY.
 */
export async function addLargeApp(history: History, pool: pg.Pool): Promise<void> {
  const { workspaceId, appIds, keywords, days } = history;
  const [appId, listingId] = [appIds[0]!, keywords[0]!.listingId];
  const [first, last] = [days[0]!, days.at(-1)!];
  const run = (text: string, values: unknown[] = []) => pool.query(text, values);
  await run(
    `insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
       created_at)
     select $1, $2, id, jsonb_build_array(jsonb_build_array($3::text, 200)), $3::date, $3::date
     from (select id from listings where id <> $4 order by id limit $5) as l`,
    [workspaceId, appId, first, listingId, competitors],
  );
  await addCompetitorRanks(pool, last);
  await addListings(pool, first, last);
  await addReviewsAndCharts(pool, { listingId, first, last });
  await addScores(pool, first, last);
  await addRuns(pool, { workspaceId, first, last });
  await addEvents(pool, { ...history, appId });
  await run('analyze');
}

/** A tenth of the markets has a competitor at a position that drifts. The depth is 200. */
async function addCompetitorRanks(pool: pg.Pool, last: string): Promise<void> {
  for (let back = competitorMonths - 1; back >= 0; back -= 1)
    await pool.query(
      `with month as (
         select (date_trunc('month', $1::date) - make_interval(months => $2))::date as first
       ), found as materialized (
         select home, (select string_agg(case when first + d > $1::date then '\\x00'::bytea
             else decode(lpad(to_hex(1 + (home + d / 2) % 195), 2, '0'), 'hex') end, '' order by d)
           from generate_series(0, 30) d) as ranks
         from month, generate_series(0, 194) home
       ), other as materialized (
         select string_agg(case when first + d > $1::date then '\\x00'::bytea else '\\xff'::bytea
             end, '' order by d) as missing,
           string_agg(case when first + d > $1::date then '\\x00'::bytea else '\\xc8'::bytea end, ''
             order by d) as depths
         from month, generate_series(0, 30) d
       )
       insert into rank_months (listing_id, month, market_id, daily_ranks, depths)
       select c.listing_id, month.first, m.id, coalesce(f.ranks, missing), depths
       from month, other, competitors c cross join markets m
         left join found f on (c.listing_id * 31 + m.id * 17) % 10 = 0
           and f.home = (c.listing_id * 13 + m.id * 7) % 195
       order by 1, 3`,
      [last, back],
    );
  await pool.query(
    `insert into last_ranks (market_id, on_date, depth, listing_ids, daily_ranks)
     select k.market_id, k.latest_on, 200,
       string_agg(int4send(r.listing_id), '' order by r.listing_id),
       string_agg(substring(r.daily_ranks from at for 1), '' order by r.listing_id)
     from keywords k
     cross join lateral (select date_trunc('month', k.latest_on)::date as month,
       extract(day from k.latest_on)::int as at) as day
     join rank_months r on r.market_id = k.market_id and r.month = day.month
       and get_byte(r.daily_ranks, at - 1) <> 0
     group by 1, 2, 3`,
  );
}

/** Each followed listing in every country: numbers by day, and a new version each month. */
async function addListings(pool: pg.Pool, first: string, last: string): Promise<void> {
  const followed = `(select listing_id from apps union select listing_id from competitors) as l
    cross join (select distinct country from keywords) as k`;
  await pool.query(
    `insert into listing_days (listing_id, country, on_date, rating, rating_count, price_micros,
       read_at)
     select listing_id, country, d, 4 + listing_id % 9 / 10.0, 1000 + (d - $1::date) * 3, 0, d
     from ${followed} cross join lateral (select ($1::date + n) as d
       from generate_series(0, $2::date - $1::date) n) as days`,
    [first, last],
  );
  await pool.query(
    `insert into rating_days (listing_id, country, on_date, rating, rating_count, histogram)
     select listing_id, country, on_date, rating, rating_count,
       array[5, 4, 7, 20, 64] from listing_days`,
  );
  await pool.query(
    `insert into snapshots (listing_id, country, language, taken_at, content_hash, fields)
     select listing_id, country, 'en', $1::date + make_interval(months => n),
       sha256((listing_id || country || n)::bytea), jsonb_build_object('name', 'App ' || listing_id,
         'subtitle', 'Word ' || n || ' planner', 'version', '1.' || n, 'developer', 'Maker',
         'releaseNotes', repeat('Faster and calmer. ', 20), 'categoryId', '6007',
         'description', repeat('A calm app for daily plans and habits, word ' || n || '. ', 60),
         'priceMicros', 0, 'currency', 'USD', 'languages', '["en"]'::jsonb, 'bundleId', null,
         'iconUrl', null, 'summary', null, 'storeUrl', '', 'category', 'Productivity',
         'releasedAt', $1::text || 'T00:00:00Z', 'updatedAt', $1::text || 'T00:00:00Z',
         'contentRating', '4+', 'sizeBytes', '80000000', 'minimumOsVersion', '17.0',
         'screenshotUrls', '[]'::jsonb, 'developerId', null, 'developerUrl', null,
         'inAppPurchases', true)
     from ${followed} cross join generate_series(0, 35) n order by 1, 2, 4`,
    [first],
  );
  await pool.query(
    `insert into changes (listing_id, country, language, field, before, after, version, detected_at,
       previous_at, snapshot_id, evaluated)
     select s.listing_id, s.country, 'en', f.field, before.fields->f.field, s.fields->f.field,
       s.fields->>'version', s.taken_at, s.taken_at - interval '1 day', s.id, true
     from snapshots s
     join snapshots before on before.listing_id = s.listing_id and before.country = s.country
       and before.taken_at = s.taken_at - interval '1 month'
     cross join (values ('version'), ('subtitle'), ('description')) as f(field)
     where f.field = 'version' or extract(month from s.taken_at) in (3, 9)`,
  );
  await pool.query(`select refresh_listing_demand(array_agg(distinct listing_id)),
    refresh_store_task_demand(array_agg(distinct listing_id)) from listing_days`);
  await pool.query('update listing_schedule set refreshed_on = $1, completed_on = $1', [last]);
}

async function addReviewsAndCharts(
  pool: pg.Pool,
  { listingId, first, last }: { listingId: number; first: string; last: string },
): Promise<void> {
  await pool.query(
    `insert into reviews (listing_id, country, store_review_id, author, rating, title, body,
       version, language, reviewed_at, first_seen_at)
     select $1, ($4::text[])[1 + n % 6], n::text, 'Reader ' || n, 1 + n * 7 % 5, 'Review ' || n,
       repeat('It syncs slowly, crashes at start, and I like the calm design. ', 1 + n % 4),
       '1.' || n / 600, 'en', at, at + interval '2 hours'
     from generate_series(0, 19999) n
       cross join lateral (select $2::timestamptz + ($3::timestamptz - $2) * (n / 20000.0) as at)`,
    [listingId, first, last, ['us', 'de', 'jp', 'gb', 'fr', 'br']],
  );
  await pool.query(
    `insert into review_coverage (listing_id, country, synced_at)
     select $1, country, $2::date from (select distinct country from keywords) as k`,
    [listingId, last],
  );
  await pool.query(
    `insert into charts (store_task_id, on_date, depth, read_at, ids)
     select t.id, d, 100, d, (select string_agg(decode(lpad(to_hex(
         case when n = (t.id + (d - $1::date)) % 100 then $3 else 1 + (n * 7 + t.id) % 400 end
       ), 8, '0'), 'hex'), '' order by n) from generate_series(0, 99) n)
     from store_tasks t cross join lateral (select $1::date + n as d
       from generate_series(0, $2::date - $1::date) n) as days where t.kind = 'chart'`,
    [first, last, listingId],
  );
  await pool.query('update store_tasks set read_on = $1, completed_on = $1', [last]);
}

/** A score of each market every month. */
async function addScores(pool: pg.Pool, first: string, last: string): Promise<void> {
  await pool.query(
    `insert into scores (market_id, scored_at, observed_on, traffic, difficulty, formula)
     select m.id, at, at::date, (m.id * 37 + month) % 101, (m.id * 53) % 101, 'seeded'
     from markets m cross join generate_series(0, 35) month
       cross join lateral (select $1::date + make_interval(months => month) as at)
     where at < $2::date order by 2, 1`,
    [first, last],
  );
  await pool.query(
    `insert into market_scores (market_id, score_id, scored_at, observed_on, serp_on, traffic,
       difficulty, confidence)
     select distinct on (market_id) market_id, id, scored_at, observed_on, $1::date, traffic,
       difficulty, 'high' from scores order by market_id, id desc`,
    [last],
  );
}

async function addRuns(
  pool: pg.Pool,
  { workspaceId, first, last }: { workspaceId: number; first: string; last: string },
): Promise<void> {
  const days = `lateral (
    select $1::date + n as day from generate_series(0, $2::date - $1::date) n)`;
  await pool.query(
    `insert into runs (date, opened_at, finished_at, state)
     select day, day, day + interval '8 hours', 'finished' from ${days} as days`,
    [first, last],
  );
  await pool.query(
    `insert into run_counts (workspace_id, date, store, country, planned, done, shed, store_error,
       over_quota, not_yet_run, paused)
     select $3, day, 'ios', country, planned, planned - 16, 0, 16, 0, 0, 0
     from ${days} as days cross join (
       select country, count(*)::int as planned from keywords group by country) as k
     where day < $2::date`,
    [first, last, workspaceId],
  );
  await pool.query(
    `insert into counted_days select day from ${days} as days where day < $2::date`,
    [first, last],
  );
  await pool.query(
    'update market_schedule set checked_on = $1, completed_on = $1, usual_results = 200',
    [last],
  );
}

/** Thirty events a day for as long as they are kept, and the actions that are open. */
async function addEvents(pool: pg.Pool, history: History & { appId: number }): Promise<void> {
  const { workspaceId, appId, keywords, days } = history;
  const kept = days.slice(-400);
  const rows = kept.flatMap((day, index) =>
    keywords.slice(index * 7, index * 7 + 30).map(({ id }, number) => {
      const sequence = index * 30 + number + 1;
      const timestamp = new Date(startOfDayMs(day) + number * 60_000).toISOString();
      const pair = (date: string, position: number) => ({ date, position, depth: 200 });
      return {
        sequence,
        timestamp,
        body: JSON.stringify({
          type: 'rank.dropped',
          timestamp,
          id: `msg_${String(sequence).padStart(20, '0')}`,
          sequence,
          workspaceId,
          app: { id: appId, store: 'ios', storeAppId: '600000001', name: 'App 1' },
          data: {
            ...eventSamples['rank.dropped'],
            keywordId: id,
            phrase: `word ${id}`,
            from: pair(addDays(day, -1), 8),
            to: pair(day, 21),
          },
          links: {},
        }),
      };
    }),
  );
  await pool.query(
    `insert into events (workspace_id, sequence, type, key, app_id, occurred_at, body)
     select $1, s, 'rank.dropped', 'seeded ' || s, $2, t, b
     from unnest($3::int[], $4::timestamptz[], $5::text[]) as e(s, t, b)`,
    [
      workspaceId,
      appId,
      rows.map(({ sequence }) => sequence),
      rows.map(({ timestamp }) => timestamp),
      rows.map(({ body }) => body),
    ],
  );
  await pool.query(
    `insert into event_counters (workspace_id, sequence) values ($1, $2)
     on conflict (workspace_id) do update set sequence = excluded.sequence`,
    [workspaceId, rows.length],
  );
  await pool.query(
    `insert into actions (workspace_id, app_id, type, key, fingerprint, severity, title, reason,
       evidence, keyword_ids, opened_at, seen_at)
     select $1, $2, 'rank-drop', 'seeded ' || k.id, '1', 'medium',
       k.phrase || ' fell from 8 to 21', 'It usually ranked at 8 in recent weeks.',
       jsonb_build_object('phrase', k.phrase, 'country', k.country, 'device', 'iphone',
         'usualPosition', 8, 'usualOverChecks', 12, 'positionsLost', 13, 'traffic', 40),
       array[k.id], $3::date, $3::date
     from (select * from keywords order by id limit 300) as k`,
    [workspaceId, appId, days.at(-1)!],
  );
  await pool.query(
    `insert into annotations (workspace_id, app_id, on_date, text, created_at)
     select $1, $2, $3::date + n * 10, 'Campaign ' || n, now() from generate_series(0, 100) n`,
    [workspaceId, appId, days[0]!],
  );
  await pool.query(
    `insert into keyword_fields (workspace_id, app_id, locale, text, normalized, saved_at)
     select $1, $2, 'en-US', t, t, $3::date + make_interval(months => n)
     from generate_series(0, 35) n
       cross join lateral (select 'word,of,planner,habit,calm,day' || n as t)`,
    [workspaceId, appId, days[0]!],
  );
}
