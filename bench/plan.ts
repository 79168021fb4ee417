import type pg from 'pg';
import type { Services } from '#domain/base/context.ts';
import { dispatchStore } from '#domain/scheduling/runs/dispatch-store-work.ts';
import type { StoreWork } from '#domain/scheduling/runs/store-work.ts';
import { schedule } from '#tests/harness/background-work.ts';
import { openRun } from '#domain/scheduling/runs/open-run.ts';
import { storeNames } from '#stores/profiles.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
import { readerOf, scales } from '#tests/harness/history.ts';
import { openBenchDatabase } from './database.ts';
import { percentile, type Measurement } from './measurement.ts';

export const planDay: UtcDay = '2026-11-21';
const yesterday = addDays(planDay, -1);
const goalMs = { small: null, target: 100, stress: 500 };

/**
 * Opening a day and enqueueing the first window of each store into a queue that accepts it at once.
 */
export async function* measure(expected: string[]): AsyncGenerator<Measurement> {
  const database = await openBenchDatabase();
  try {
    for (const scale of ['small', 'target', 'stress'] as const) {
      if (scale !== 'small' && !expected.includes(scale)) continue;
      await seedMarkets(database.pool, scales[scale]);
      const services = readerOf(database, 1, `${planDay}T02:00:00Z`);
      const times: number[] = [];
      for (let count = 0; count < 12; count++) {
        await forgetDay(database.pool);
        const start = performance.now();
        await planOnce(services);
        times.push(performance.now() - start);
      }
      const median = percentile(
        times.toSorted((a, b) => a - b),
        0.5,
      );
      yield {
        name: 'plan a day and fill the window of both stores, p50',
        scale,
        measured: median,
        unit: 'ms',
        goal: goalMs[scale],
      };
    }
  } finally {
    await database.close();
  }
}

async function planOnce(services: Services): Promise<void> {
  const sent: StoreWork[] = [];
  const run = await openRun(services);
  for (const store of storeNames) {
    await dispatchStore(
      services,
      {
        send: async (_store, work) => void sent.push(...work),
        sendBackground: async () => undefined,
      },
      store,
      run,
      schedule.store,
    );
  }
  if (sent.length === 0) throw new Error('nothing was planned');
}

/** The day before it was planned, with successful probes. */
async function forgetDay(pool: pg.Pool): Promise<void> {
  await pool.query('delete from runs where date = $1', [planDay]);
  await pool.query('update market_schedule set queued_until = null where queued_until is not null');
  await pool.query(
    'update listing_schedule set queued_until = null where queued_until is not null',
  );
  await pool.query(
    `insert into store_probes (store, provider, date, state, probed_at) ` +
      `select s, position_provider(s, $1), $1, 'ok', now() from ` +
      'unnest($2::text[]) s on conflict do nothing',
    [planDay, storeNames],
  );
}

/** Apps and markets of both stores, all of them checked yesterday, in ten workspaces at most. */
export async function seedMarkets(
  pool: pg.Pool,
  size: { apps: number; markets: number },
): Promise<void> {
  await pool.query(
    'truncate workspaces, listings, markets, runs, store_probes restart identity cascade',
  );
  await pool.query(
    `insert into workspaces (name) select 'bench ' || n from generate_series(1, least(10, ` +
      '$1::int)) n',
    [size.apps],
  );
  await pool.query(
    `insert into listings (store, store_app_id, name) select case when n % 2 = 0 then 'ios' ` +
      `else 'android' end, 'app' || n, 'App ' || n from generate_series(1, $1::int) n`,
    [size.apps],
  );
  await pool.query(
    `insert into apps (workspace_id, listing_id, primary_country, created_at)
     select 1 + l.id % (select count(*) from workspaces), l.id, 'us', $1::date from listings l`,
    [yesterday],
  );
  await pool.query(
    `insert into markets (store, country, device, phrase)
     select l.store, (array['us', 'de', 'jp', 'gb', 'fr', 'br'])[1 + n % 6], devices[1],
       'word ' || n
       from generate_series(0, $1::int - 1) n join listings l on l.id = 1 + n % $2::int
         join stores using (store)`,
    [size.markets, size.apps],
  );
  await pool.query(
    `insert into keywords (workspace_id, app_id, market_id, country, device, phrase, depth,
       tracking_periods, created_at)
     select a.workspace_id, a.id, m.id, m.country, m.device, m.phrase, 200,
       jsonb_build_array(jsonb_build_array($2::text, 200)), $1::date
     from markets m join apps a on a.listing_id = 1 + substr(m.phrase, 6)::int % (select count(*)
       from listings)`,
    [yesterday, yesterday],
  );
  await pool.query(
    `insert into market_schedule (market_id, store, round_robin_order, depth, checked_on,
       completed_on, usual_requests)
     select m.id, m.store, row_number() over (partition by k.workspace_id order by m.id), 200, $1,
       $1, case when has_single_page(stores) then 1 else 2 end
     from markets m join keywords k on k.market_id = m.id join stores on stores.store = m.store`,
    [yesterday],
  );
  await pool.query('select refresh_listing_demand(array_agg(id)) from listings');
  await pool.query(
    'insert into runs (date, opened_at, finished_at, state) values ($1::date, $1::date, ' +
      `$1::date, 'finished')`,
    [yesterday],
  );
  await pool.query('vacuum analyze');
}
