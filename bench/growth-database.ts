import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { addDays, type UtcDay } from '#lib/dates.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';

/** `huge` is ten times `stress`, in workspaces of the same sizes. */
export const growthScales = {
  stress: { workspaces: 150, markets: 75_000 },
  huge: { workspaces: 1_500, markets: 750_000 },
} as const;
export type GrowthScale = keyof typeof growthScales;

export const growthDay: UtcDay = '2026-11-21';
const yesterday = addDays(growthDay, -1);
const markets = 500;
const cacheDir = fileURLToPath(new URL('../node_modules/.cache/bench/', import.meta.url));
const self = fileURLToPath(import.meta.url);

/**
 * An instance with many workspaces after a year of use, on the morning of `growthDay`. Its files
 * are kept for the next run, until this file changes.
 */
export async function openGrowthDatabase(scale: GrowthScale): Promise<BenchDatabase> {
  return openBenchDatabase({ dataDir: await fillGrowthFiles(scale) });
}

/** Its folder, which is filled unless it is there. Nobody else may have it open. */
export async function fillGrowthFiles(scale: GrowthScale): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(self))
    .digest('hex');
  const dataDir = join(cacheDir, `${scale}-${hash.slice(0, 12)}`);
  const isFilled = join(dataDir, 'filled');
  if (!existsSync(isFilled)) {
    await removeOlder(scale);
    await mkdir(dataDir, { recursive: true });
    const database = await openBenchDatabase({ dataDir, flags: { fsync: 'off' } });
    await fillGrowthDatabase(database.pool, growthScales[scale]);
    await database.close();
    await writeFile(isFilled, '');
  }
  return dataDir;
}

async function removeOlder(scale: GrowthScale): Promise<void> {
  const names = await readdir(cacheDir).catch(() => []);
  for (const name of names.filter((kept) => kept.startsWith(`${scale}-`)))
    await rm(join(cacheDir, name), { recursive: true, force: true });
}

/** Fills an empty database with workspaces of 500 markets on average. */
export async function fillGrowthDatabase(
  pool: pg.Pool,
  scale: { workspaces: number },
): Promise<void> {
  await pool.query('set synchronous_commit = off');
  for (const statement of statementsOf(scale)) await pool.query(statement);
  await pool.query('vacuum analyze');
}

/**
 * A hundred and fifty sizes from 20 to 8,000 markets, which repeat: most workspaces are small, and
 * a few have most of the markets.
 */
const sizes = (workspaces: number) => `
  create temporary table sizes on commit preserve rows as
  with shares as (
    select n, power(1 + n % 150, -0.85) as share from generate_series(0, ${workspaces - 1}) n
  )
  select n + 1 as workspace_id, greatest(20, round(share / sum(share) over ()
    * ${workspaces * markets})::int) as markets from shares`;

function statementsOf({ workspaces }: { workspaces: number }): string[] {
  const since = `date '${addDays(growthDay, -365)}'`;
  return [
    sizes(workspaces),
    `insert into workspaces (name, plan, created_at)
     select 'workspace ' || workspace_id, 'ultimate', ${since} from sizes order by workspace_id`,
    `insert into users (email, password_hash)
     select 'user' || workspace_id || '@example.org', '-' from sizes order by workspace_id`,
    `insert into memberships (workspace_id, user_id, role)
     select workspace_id, workspace_id, 'owner' from sizes`,
    // Three apps and six competitors of each workspace, and half as many others in results.
    `insert into listings (store, store_app_id, name, developer, rating, rating_count)
     select case when n % 2 = 0 then 'ios' else 'android' end, 'app' || n, 'App ' || n,
       'Maker ' || n % 997, 4.5, n % 100000
     from generate_series(1, ${workspaces * 15}) n`,
    `insert into apps (workspace_id, listing_id, primary_country, created_at)
     select w, (w - 1) * 3 + n, 'us', ${since}
     from generate_series(1, ${workspaces}) w, generate_series(1, 3) n`,
    `insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
       created_at)
     select a.workspace_id, a.id, ${workspaces * 3} + (a.id - 1) * 2 + n,
       jsonb_build_array(jsonb_build_array(${since}::text)), ${since}, ${since}
     from apps a, generate_series(1, 2) n`,
    `create temporary table owners as
     select row_number() over (order by workspace_id, n)::int as number, workspace_id,
       ((workspace_id - 1) * 3 + 1 + n % 3)::int as app_id
     from sizes, generate_series(0, markets - 1) n`,
    `insert into markets (store, country, device, phrase)
     select l.store, (array['us', 'de', 'jp', 'gb', 'fr', 'br'])[1 + number % 6], devices[1],
       'word ' || number
     from owners join listings l on l.id = app_id join stores using (store) order by number`,
    `insert into keywords (workspace_id, app_id, market_id, country, device, phrase, depth,
       tracking_periods, created_at, latest_on, latest_position, latest_depth, latest_at)
     select o.workspace_id, o.app_id, m.id, m.country, m.device, m.phrase, 200,
       jsonb_build_array(jsonb_build_array(${since}::text, 200)), ${since},
       '${yesterday}', 1 + m.id % 200, 200, timestamptz '${yesterday}T04:00Z'
     from owners o join markets m on m.id = o.number order by o.number`,
    `insert into market_schedule (market_id, store, round_robin_order, depth, checked_on,
       completed_on, usual_requests, usual_results)
     select m.id, m.store, row_number() over (partition by o.workspace_id order by m.id), 200,
       '${yesterday}', '${yesterday}', case when has_single_page(stores) then 1 else 2 end, 200
     from markets m join owners o on o.number = m.id join stores on stores.store = m.store`,
    'analyze',
    'select refresh_listing_demand(array_agg(id)) from listings',
    'select refresh_store_task_demand(array_agg(id)) from listings',
    'select refresh_hint_demand(array_agg(id)) from markets',
    `update listing_schedule set refreshed_on = '${yesterday}', completed_on = '${yesterday}'`,
    `update store_tasks set read_on = '${yesterday}', completed_on = '${yesterday}',
       usual_requests = 1`,
    ...['2026-09-01', '2026-10-01', '2026-11-01'].flatMap((month) => [
      `insert into market_months (market_id, month, days)
       select id, '${month}', decode(repeat(lpad(to_hex(200), 2, '0') || '003840', 31), 'hex')
       from markets`,
      `insert into rank_months (listing_id, month, market_id, daily_ranks, depths)
       select k.app_id, '${month}', k.market_id,
         decode(repeat(lpad(to_hex(1 + k.market_id % 200), 2, '0'), 31), 'hex'),
         decode(repeat('c8', 31), 'hex')
       from keywords k order by k.app_id, k.market_id`,
    ]),
    `insert into serps (market_id, on_date, depth, result_count, ended, provider, ids, strengths)
     select id, '${yesterday}', 50, 50, 'depth', 'web',
       decode(md5(id::text) || repeat(md5((id % 1000)::text), 11), 'hex'),
       decode(repeat(md5((id % 1000)::text), 6), 'hex')
     from markets`,
    `insert into scores (market_id, scored_at, observed_on, traffic, difficulty, formula)
     select id, '${yesterday}', '${yesterday}', id % 100, id % 90, 'v1' from markets`,
    `insert into market_provenance (market_id, provenance)
     select id, jsonb_build_object('inputs', repeat('evidence ', 20)) from markets`,
    `insert into market_scores (market_id, score_id, scored_at, observed_on, serp_on, traffic,
       difficulty, confidence)
     select s.market_id, s.id, s.scored_at, s.observed_on, '${yesterday}', s.traffic, s.difficulty,
       'high' from scores s`,
    `insert into alert_rules (workspace_id, rules, saved_at)
     select workspace_id, '[{"event": "rank.dropped", "enabled": true, "scope": {}}]', ${since}
     from sizes`,
    `insert into events (workspace_id, sequence, type, key, app_id, occurred_at, body)
     select workspace_id, n, 'rank.dropped', 'event ' || n, null,
       timestamptz '${yesterday}T05:00Z' - n * interval '3 hours',
       '{"type": "rank.dropped", "data": "' || repeat('x', 300) || '"}'
     from sizes, generate_series(1, 600) n`,
    `insert into event_counters (workspace_id, sequence) select workspace_id, 600 from sizes`,
    `insert into jobs (workspace_id, app_id, kind, state, payload, total, done, queued_at,
       started_at, finished_at)
     select workspace_id, (workspace_id - 1) * 3 + 1, 'run-daily', 'succeeded',
       '{"day": "${yesterday}", "marketIds": [1, 2, 3]}', 3, 3, t, t, t
     from sizes, generate_series(1, 200) n,
       lateral (select timestamptz '${yesterday}T06:00Z' - n * interval '1 day' as t) at`,
    `insert into reviews (listing_id, country, store_review_id, rating, body, reviewed_at,
       first_seen_at)
     select a.listing_id, 'us', 'review ' || n, 1 + n % 5, repeat('good app ', 10), at.t, at.t
     from apps a, generate_series(1, 100) n,
       lateral (select timestamptz '${yesterday}T06:00Z' - n * interval '1 day' as t) at`,
    `insert into review_coverage (listing_id, country, synced_at)
     select listing_id, 'us', timestamptz '${yesterday}T06:00Z' from apps`,
    `insert into evaluated_feeds (workspace_id, app_id, country, evaluated_until)
     select workspace_id, id, 'us', timestamptz '${yesterday}T06:00Z' from apps`,
    `insert into runs (date, opened_at, finished_at, state)
     values ('${yesterday}', timestamptz '${yesterday}T02:00Z',
       timestamptz '${yesterday}T09:00Z', 'finished')`,
    `insert into sent_digests (workspace_id, week) select workspace_id, '2026-11-09' from sizes`,
    `insert into counted_days (date) values ('${yesterday}')`,
    `insert into budgets (workspace_id, store, markets, requests, learned, listings,
       listing_requests)
     select k.workspace_id, m.store, count(*), count(*), true, 3, 3
     from keywords k join markets m on m.id = k.market_id group by k.workspace_id, m.store
     on conflict (workspace_id, store) do update set markets = excluded.markets`,
  ];
}
