import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkMarket, type CheckServices } from '../../src/domain/rankings/check-market.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';

const day = '2026-05-10';
const phrases = ['habit tracker', 'sleep sounds', 'water reminder'].map((phrase) => ({ phrase, country: 'us' }));
let pipeline: Pipeline;
let markets: TrackedMarket[];
/** Apps that the world has, each followed by nobody yet. */
let strangers: string[];

beforeAll(async () => {
  pipeline = await startPipeline({ day, work: false, simulator: { world: { apps: 300, resultsPerSearch: 60 } } });
  markets = await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, phrases);
  strangers = pipeline.simulator.world.catalogues.ios.apps.slice(20, 23).map((app) => app.storeAppId);
});
afterAll(() => pipeline.close());

/** Checks the market; `meanwhile` is done between the store's answer and its writing. */
async function checkWhile(market: TrackedMarket, meanwhile: () => Promise<unknown>): Promise<string> {
  const { services } = pipeline.runtime;
  const stores = {
    ...services.stores,
    ios: {
      ...services.stores.ios,
      search: async (...question: Parameters<CheckServices['stores']['ios']['search']>) => {
        const answer = await services.stores.ios.search(...question);
        await meanwhile();
        return answer;
      },
    },
  };
  return checkMarket({ ...services, stores }, { marketId: market.marketId, day }, { signal: AbortSignal.timeout(20_000), lane: 'run' });
}

async function expectTruth(market: TrackedMarket, storeAppId: string): Promise<void> {
  const { rows } = await pipeline.db.pool.query(
    `select k.latest_on as on_date, k.latest_position as position, k.latest_depth as depth
     from keywords k join apps a on a.id = k.app_id join listings l on l.id = a.listing_id where k.market_id = $1 and l.store_app_id = $2`,
    [market.marketId, storeAppId],
  );
  const { store, phrase, country } = market;
  const { position } = pipeline.simulator.truth({ store, phrase, country, day, storeAppId });
  expect(rows).toEqual([{ on_date: day, position, depth: 200 }]);
}

describe('whoever begins to follow a market while it is searched', () => {
  test('has the answer of that search', async () => {
    const [market, storeAppId] = [markets[0]!, strangers[0]!];
    expect(await checkWhile(market, () => pipeline.track({ store: 'ios', storeAppId }, [phrases[0]!]))).toBe('checked');
    await expectTruth(market, storeAppId);
    await expectTruth(market, '1500000001');
  });

  test('has it too when the answer had to wait for the addition to commit', async () => {
    const [market, storeAppId] = [markets[1]!, strangers[1]!];
    await pipeline.track({ store: 'ios', storeAppId }, [phrases[2]!]);
    const adding = await pipeline.db.pool.connect();
    try {
      await adding.query('begin');
      const checked = checkWhile(market, async () => {
        await adding.query('update market_schedule set turn = turn where market_id = $1', [market.marketId]);
        await adding.query(
          `insert into keywords (workspace_id, app_id, market_id, country, phrase, depth, terms, created_at)
           select a.workspace_id, a.id, $1, 'us', $2, 200, $3, $4 from apps a join listings l on l.id = a.listing_id where l.store_app_id = $5`,
          [market.marketId, market.phrase, JSON.stringify([[day, 200]]), pipeline.clock.now(), storeAppId],
        );
      });
      await expect.poll(waitingForTheRow, { timeout: 10_000 }).toBe(1);
      await adding.query('commit');
      expect(await checked).toBe('checked');
    } finally {
      adding.release();
    }
    await expectTruth(market, storeAppId);
    await expectTruth(market, '1500000001');
  });

  test('as a competitor, is looked for in that answer', async () => {
    const [market, storeAppId] = [markets[2]!, strangers[2]!];
    const add = async () => {
      await pipeline.db.pool.query("insert into listings (store, store_app_id, name) values ('ios', $1, $1)", [storeAppId]);
      await pipeline.db.pool.query(
        `insert into competitors (workspace_id, app_id, listing_id, terms, followed_at, created_at)
         select k.workspace_id, k.app_id, l.id, '[]', $2, $2 from keywords k, listings l where k.id = $3 and l.store_app_id = $1`,
        [storeAppId, pipeline.clock.now(), market.keywordId],
      );
    };
    expect(await checkWhile(market, add)).toBe('checked');
    const { rows } = await pipeline.db.pool.query(
      `select get_byte(r.cells, 9) as cell from rank_months r join listings l on l.id = r.listing_id where r.market_id = $1 and l.store_app_id = $2`,
      [market.marketId, storeAppId],
    );
    const { position } = pipeline.simulator.truth({ store: 'ios', phrase: market.phrase, country: 'us', day, storeAppId });
    expect(rows).toEqual([{ cell: position ?? 255 }]);
  });
});

async function waitingForTheRow(): Promise<number> {
  const { rows } = await pipeline.db.pool.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '/* record-check */%'",
  );
  return rows[0]!.count;
}
