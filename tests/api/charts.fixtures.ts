import { packIds } from '#domain/tracking/rankings/pack-serp.ts';
import { upsertChart } from '#db/queries/charts/charts.ts';
import type { TestApi } from '../harness/api.ts';

export interface Spot {
  store?: 'ios' | 'android';
  country: string;
  category?: string | null;
  chart?: 'free' | 'paid' | 'grossing';
}

/** The store task of a chart, whether or not it is requested. */
async function storeTaskOf(
  api: TestApi,
  { store = 'ios', country, category = null, chart = 'free' }: Spot,
): Promise<number> {
  const known = await api.db.pool.query(
    `select id from store_tasks where store = $1 and kind = 'chart' and country = $2 and chart = ` +
      '$3 and category is not distinct from $4',
    [store, country, chart, category],
  );
  if (known.rows.length > 0) return known.rows[0].id as number;
  const made = await api.db.pool.query(
    "insert into store_tasks (store, kind, country, chart, category) values ($1, 'chart', $2, " +
      '$3, $4) returning id',
    [store, country, chart, category],
  );
  return made.rows[0].id as number;
}

/** The rows of a daily run when the store responded: these listings, best first. */
export async function insertChart(
  api: TestApi,
  spot: Spot,
  day: string,
  listingIds: number[],
  depth = 200,
): Promise<void> {
  const storeTaskId = await storeTaskOf(api, spot);
  await upsertChart(api.db.systemDb, {
    storeTaskId,
    day,
    depth,
    readAt: new Date(`${day}T03:00:00Z`),
    ids: packIds(listingIds),
  });
}

export async function insertChartGap(
  api: TestApi,
  spot: Spot,
  day: string,
  reason: 'shed' | 'store_error' | 'not_yet_run',
): Promise<void> {
  await api.db.pool.query(
    'insert into store_task_gaps (store_task_id, on_date, reason) values ($1, $2, $3)',
    [await storeTaskOf(api, spot), day, reason],
  );
}

/** The facts of a listing in a country since an instant. */
export async function insertListingSnapshot(
  api: TestApi,
  listingId: number,
  at: string,
  fields: {
    categoryId?: string | null;
    category?: string | null;
    priceMicros?: number | null;
    inAppPurchases?: boolean | null;
  },
  country = 'us',
): Promise<void> {
  const all = {
    developer: null,
    iconUrl: null,
    categoryId: '6013',
    category: 'Health & Fitness',
    priceMicros: 0,
    inAppPurchases: false,
    ...fields,
  };
  await api.db.pool.query(
    'insert into snapshots (listing_id, country, taken_at, content_hash, fields) values ($1, ' +
      `$2, $3, decode(md5(random()::text), 'hex'), $4)`,
    [listingId, country, at, JSON.stringify(all)],
  );
}

export async function insertListings(
  api: TestApi,
  count: number,
  prefix = 'competitor',
): Promise<number[]> {
  const { rows } = await api.db.pool.query(
    `with l as (insert into listings (store, store_app_id, name, developer)
       select 'ios', $1 || n, 'Competitor ' || n, 'Somebody'
     from generate_series(1, $2::int) n returning id), r as (
       insert into listing_ratings select id, 'us', 4.5, 1000, '2026-01-01' from l)
     select id from l order by id`,
    [prefix, count],
  );
  return rows.map((row) => row.id as number);
}
