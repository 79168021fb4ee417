import type { Account, TestApi } from '../harness/api.ts';
import { insertApp } from './keywords.fixtures.ts';

/** An app of the account, tracking phrases in the United States. */
export async function trackMarkets(api: TestApi, account: Account, phrases: string[]) {
  const app = await insertApp(api, account);
  await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases, countries: ['us'] } },
    account,
  );
  const { rows } = await api.db.pool.query(
    'select id, market_id from keywords where app_id = $1 order by id',
    [app.id],
  );
  return {
    appId: app.id,
    listingId: app.listingId,
    keywordIds: rows.map((row) => row.id as number),
    marketIds: rows.map((row) => row.market_id as number),
  };
}
