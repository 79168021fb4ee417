import type pg from 'pg';
import {
  defaultProvidersOf,
  maxReviewPages,
  storeNames,
  storeProfiles,
  type StoreProfile,
} from '#stores/profiles.ts';

/** Makes the profiles known to migrations, which contain no value of a store. */
export async function describeStores(client: pg.ClientBase): Promise<void> {
  await client.query('create temporary table store_profiles (store text, devices text[])');
  await client.query(
    `insert into store_profiles
     select store, devices from jsonb_to_recordset($1::jsonb) as s(store text, devices text[])`,
    [JSON.stringify(storeProfiles.map(toStoreRow))],
  );
}

/**
 * Writes the profiles of the stores into `stores` and `store_task_kinds`, and the first provider of
 * a new store into `position_series`. Each start calls it, so a new store and changed figures take
 * effect with the next start. Throws when the database has a
 * store that this version does not know.
 */
export async function syncStores(client: pg.Client): Promise<void> {
  await client.query('begin');
  try {
    await refuseUnknownStores(client);
    await client.query(
      `insert into stores (store, rank, first_page, next_page, listings_per_request,
         confirms_empty_hints, charts, devices, first_reviews, shares_reviews)
       select * from jsonb_to_recordset($1::jsonb) as s(store text, rank smallint,
         first_page smallint, next_page smallint, listings_per_request smallint,
         confirms_empty_hints boolean, charts text[], devices text[],
         first_reviews int, shares_reviews boolean)
       on conflict (store) do update set rank = excluded.rank, first_page = excluded.first_page,
         next_page = excluded.next_page, listings_per_request = excluded.listings_per_request,
         confirms_empty_hints = excluded.confirms_empty_hints, charts = excluded.charts,
         devices = excluded.devices, first_reviews = excluded.first_reviews,
         shares_reviews = excluded.shares_reviews
       where (stores.*) is distinct from (excluded.*)`,
      [JSON.stringify(storeProfiles.map(toStoreRow))],
    );
    await client.query(
      `insert into store_task_kinds
       select * from jsonb_to_recordset($1::jsonb) as k(store text, kind text, usual_requests real)
       on conflict (store, kind) do update set usual_requests = excluded.usual_requests
       where store_task_kinds.usual_requests <> excluded.usual_requests`,
      [JSON.stringify(storeProfiles.flatMap(toTaskRows))],
    );
    await client.query(
      `insert into position_series (store, from_day, provider)
       select store, date '2000-01-01', provider
       from jsonb_to_recordset($1::jsonb) as s(store text, provider text)
       where not exists (select from position_series p where p.store = s.store)`,
      [JSON.stringify(storeProfiles.map(toSeriesRow))],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function refuseUnknownStores(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ store: string }>(
    'select store from stores where store <> all($1) order by store',
    [storeNames],
  );
  if (rows.length > 0)
    throw new Error(
      `The database has stores that this version does not know ` +
        `(${rows.map(({ store }) => store).join(', ')}). Start a version that knows them.`,
    );
}

function toStoreRow(profile: StoreProfile, rank: number) {
  return {
    store: profile.id,
    rank: rank + 1,
    first_page: profile.search.firstPage,
    next_page: profile.search.nextPage,
    listings_per_request: profile.listingsPerRequest,
    confirms_empty_hints: profile.hints.emptyNeedsConfirmation,
    charts: profile.charts,
    devices: profile.devices.map(({ id }) => id),
    first_reviews: maxReviewPages * profile.reviewsPerPage,
    shares_reviews: profile.sharesReviews ?? false,
  };
}

const toSeriesRow = (profile: StoreProfile) => ({
  store: profile.id,
  provider: defaultProvidersOf(profile)[0],
});

function toTaskRows({ id, tasks }: StoreProfile) {
  return Object.entries(tasks).map(([kind, { usualRequests }]) => ({
    store: id,
    kind,
    usual_requests: usualRequests,
  }));
}
