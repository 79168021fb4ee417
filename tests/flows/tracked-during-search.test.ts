import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeMarkets } from '#db/queries/runs/market-schedule.ts';
import { inSystem } from '#domain/base/context.ts';
import { checkMarket, type CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { addDays } from '#lib/dates.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';
import { makePhrases } from '../harness/ground-truth.ts';
import { storeOptions } from '../harness/background-work.ts';

const day = '2026-05-10';
const phrases = ['habit tracker', 'sleep sounds', 'water reminder'].map((phrase) => ({
  phrase,
  country: 'us',
}));
let pipeline: Pipeline;
let markets: TrackedMarket[];
/** Apps of the simulated world, each tracked by nobody yet. */
let strangers: string[];

beforeAll(async () => {
  pipeline = await startPipeline({
    day,
    // Its response says when the store has no more results.
    environment: { SCRAPE_IOS_PROVIDERS: 'itunes' },
    work: false,
    simulator: { world: { apps: 300, resultsPerSearch: 60, pageDistance: 0 } },
  });
  markets = await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, phrases);
  strangers = pipeline.simulator.world.catalogues.ios.apps
    .slice(20, 23)
    .map((app) => app.storeAppId);
});
afterAll(() => pipeline.close());

/** Checks the market; `meanwhile` runs between the store's response and the write. */
async function checkWhile(
  market: TrackedMarket,
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const { services } = pipeline.runtime;
  const stores = {
    ...services.stores,
    ios: {
      ...services.stores.ios,
      search: async (...question: Parameters<CheckServices['stores']['ios']['search']>) => {
        const response = await services.stores.ios.search(...question);
        await meanwhile();
        return response;
      },
    },
  };
  return checkMarket(
    { ...services, stores },
    { marketId: market.marketId, day },
    storeOptions(20_000),
  );
}

async function expectGroundTruth(market: TrackedMarket, storeAppId: string): Promise<void> {
  const { rows } = await pipeline.db.pool.query(
    `select k.latest_on as on_date, k.latest_position as position, k.latest_depth as depth
     from keywords k join apps a on a.id = k.app_id join listings l on l.id = a.listing_id
       where k.market_id = $1 and l.store_app_id = $2`,
    [market.marketId, storeAppId],
  );
  const { store, phrase, country } = market;
  const { position } = pipeline.simulator.groundTruth({ store, phrase, country, day, storeAppId });
  expect(rows).toEqual([{ on_date: day, position, depth: 200 }]);
}

describe('an app added to a market during its search', () => {
  test('gets the result of that search', async () => {
    const [market, storeAppId] = [markets[0]!, strangers[0]!];
    expect(
      await checkWhile(market, () => pipeline.track({ store: 'ios', storeAppId }, [phrases[0]!])),
    ).toBe('checked');
    await expectGroundTruth(market, storeAppId);
    await expectGroundTruth(market, '1500000001');
  });

  test('gets it also if the result had to wait for the addition to commit', async () => {
    const [market, storeAppId] = [markets[1]!, strangers[1]!];
    await pipeline.track({ store: 'ios', storeAppId }, [phrases[2]!]);
    const adding = await pipeline.db.pool.connect();
    try {
      await adding.query('begin');
      const checked = checkWhile(market, async () => {
        await adding.query(
          'update market_schedule set round_robin_order = round_robin_order where market_id = $1',
          [market.marketId],
        );
        await adding.query(
          `insert into keywords (workspace_id, app_id, market_id, country, device, phrase, depth,
             tracking_periods, created_at)
           select a.workspace_id, a.id, $1, 'us', 'iphone', $2, 200, $3, $4 from apps a
             join listings l on l.id = a.listing_id where l.store_app_id = $5`,
          [
            market.marketId,
            market.phrase,
            JSON.stringify([[day, 200]]),
            pipeline.clock.now(),
            storeAppId,
          ],
        );
      });
      await expect.poll(waitingForTheRow, { timeout: 60_000 }).toBe(1);
      await adding.query('commit');
      expect(await checked).toBe('checked');
    } finally {
      adding.release();
    }
    await expectGroundTruth(market, storeAppId);
    await expectGroundTruth(market, '1500000001');
  });

  test('as a competitor is found in that result', async () => {
    const [market, storeAppId] = [markets[2]!, strangers[2]!];
    const add = async () => {
      await pipeline.db.pool.query(
        `insert into listings (store, store_app_id, name) values ('ios', $1, $1)
         on conflict do nothing`,
        [storeAppId],
      );
      await pipeline.db.pool.query(
        `insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
           created_at)
         select k.workspace_id, k.app_id, l.id, '[]', $2, $2 from keywords k, listings l
           where k.id = $3 and l.store_app_id = $1`,
        [storeAppId, pipeline.clock.now(), market.keywordId],
      );
    };
    expect(await checkWhile(market, add)).toBe('checked');
    const { rows } = await pipeline.db.pool.query(
      'select get_byte(r.daily_ranks, 9) as cell from rank_months r join listings l on l.id = ' +
        'r.listing_id where r.market_id = $1 and l.store_app_id = $2',
      [market.marketId, storeAppId],
    );
    const { position } = pipeline.simulator.groundTruth({
      store: 'ios',
      phrase: market.phrase,
      country: 'us',
      day,
      storeAppId,
    });
    expect(rows).toEqual([{ cell: position ?? 255 }]);
  });
});

describe('a check that coincides with', () => {
  const rows = async (text: string, values: unknown[]) =>
    (await pipeline.db.pool.query(text, values)).rows as Record<string, unknown>[];
  const track = async (phrase: string, depth = 200) =>
    (
      await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, [
        { phrase, country: 'us', depth },
      ])
    )[0]!;
  const setDepth = async ({ marketId, keywordId }: TrackedMarket, depth: number) => {
    await rows('update keywords set depth = $2 where id = $1', [keywordId, depth]);
    await rows('select refresh_market_demand(array[$1::int])', [marketId]);
    await rows('update market_schedule set urgent_at = $2 where market_id = $1', [
      marketId,
      pipeline.clock.now(),
    ]);
  };
  const isUrgent = async ({ marketId }: TrackedMarket) =>
    (
      await rows(
        'select urgent_at is not null as urgent from market_schedule where market_id = $1',
        [marketId],
      )
    )[0]!.urgent;

  /** The nth phrase whose first positions do not contain the app. */
  const notAmongFirst = (positions: number, number = 0) =>
    makePhrases(80)
      .map(({ phrase }) => phrase)
      .filter((phrase) => {
        const { position } = pipeline.simulator.groundTruth({
          store: 'ios',
          phrase,
          country: 'us',
          day,
          storeAppId: '1500000001',
        });
        return position === null || position > positions;
      })[number]!;

  test('the end of its day has one outcome, the result', async () => {
    const market = await track('budget planner');
    await rows('update market_schedule set queued_until = $2 where market_id = $1', [
      market.marketId,
      new Date(pipeline.clock.now().getTime() + 60_000),
    ]);
    const [isClosed, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let closing = Promise.resolve();
    const checked = checkWhile(market, () => {
      closing = inSystem(pipeline.runtime.services, async (tx) => {
        await closeMarkets(tx, { day, after: 0, until: market.marketId });
        isClosed.resolve();
        await isOver.promise;
      });
      return isClosed.promise;
    });
    await expect.poll(waitingForTheRow, { timeout: 60_000 }).toBe(1);
    isOver.resolve();
    await closing;
    expect(await checked).toBe('checked');
    await expectGroundTruth(market, '1500000001');
    expect(await rows('select 1 from market_gaps where market_id = $1', [market.marketId])).toEqual(
      [],
    );
  });

  test('a deeper request than it was sent for leaves the request pending', async () => {
    const market = await track(notAmongFirst(30), 30);
    expect(await checkWhile(market, () => setDepth(market, 200))).toBe('checked');
    expect(await isUrgent(market)).toBe(true);
    expect(await checkWhile(market, async () => undefined)).toBe('checked');
    await expectGroundTruth(market, '1500000001');
    expect(await isUrgent(market)).toBe(false);
  });

  test('a new tracker while it searches deeper for another serves both', async () => {
    const phrase = notAmongFirst(30, 1);
    const market = await track(phrase, 30);
    const storeAppId = strangers[0]!;
    await checkWhile(market, async () => undefined);
    await setDepth(market, 200);
    const come = async () => {
      await pipeline.track({ store: 'ios', storeAppId }, [{ phrase, country: 'us' }]);
      await rows(
        'update market_schedule set urgent_at = coalesce(urgent_at, $2) where market_id = $1',
        [market.marketId, pipeline.clock.now()],
      );
    };
    expect(await checkWhile(market, come)).toBe('checked');
    expect(await isUrgent(market)).toBe(true);
    await checkWhile(market, async () => undefined);
    expect(await isUrgent(market)).toBe(false);
    await expectGroundTruth(market, '1500000001');
    await expectGroundTruth(market, storeAppId);
  });

  test('one who tracks as deep as others searched: list and history agree', async () => {
    const phrase = notAmongFirst(30, 2);
    const [shallow] = [await track(phrase, 30), await track(phrase)];
    await checkWhile(shallow, async () => undefined);
    const latest = () =>
      rows(
        'select latest_position as position, latest_depth as depth from keywords where id = $1',
        [shallow.keywordId],
      );
    expect(await latest()).toEqual([{ position: null, depth: 30 }]);
    await setDepth(shallow, 200);
    const { position } = pipeline.simulator.groundTruth({
      store: 'ios',
      phrase,
      country: 'us',
      day,
      storeAppId: '1500000001',
    });
    await checkWhile(shallow, async () => undefined);
    expect(await latest()).toEqual([{ position, depth: 200 }]);
  });

  test('daily ranks of different depths keeps the depth of each', async () => {
    const phrase = notAmongFirst(30, 3);
    const groundTruthOf = (storeAppId: string) =>
      pipeline.simulator.groundTruth({ store: 'ios', phrase, country: 'us', day, storeAppId })
        .position;
    const near = pipeline.simulator.world.catalogues.ios.apps.find(
      ({ storeAppId }) => (groundTruthOf(storeAppId) ?? 99) <= 30,
    )!.storeAppId;
    const market = await track(phrase, 30);
    await pipeline.track({ store: 'ios', storeAppId: near }, [
      { phrase, country: 'us', depth: 30 },
    ]);
    await checkWhile(market, async () => undefined);
    await setDepth(market, 200);
    await checkWhile(market, async () => undefined);
    await pipeline.track({ store: 'ios', storeAppId: near }, [{ phrase, country: 'us' }]);
    await track(phrase);
    await checkWhile(market, async () => undefined);
    const cells = await rows(
      'select l.store_app_id as app, r.position, r.depth from rankings r join listings l on ' +
        'l.id = r.listing_id where r.market_id = $1 and r.date = $2',
      [market.marketId, day],
    );
    const expected = [
      { app: '1500000001', position: groundTruthOf('1500000001'), depth: 200 },
      { app: near, position: groundTruthOf(near), depth: 30 },
    ];
    expect(cells.toSorted((one, other) => (String(one.app) < String(other.app) ? -1 : 1))).toEqual(
      expected.toSorted((one, other) => (one.app < other.app ? -1 : 1)),
    );
  });

  test('an app that is not found in a deeper search has no row while the probe fails', async () => {
    const phrase = notAmongFirst(30, 5);
    const position = (storeAppId: string) =>
      pipeline.simulator.groundTruth({ store: 'ios', phrase, country: 'us', day, storeAppId })
        .position;
    const absent = pipeline.simulator.world.catalogues.ios.apps.find(
      ({ storeAppId }) => storeAppId !== '1500000001' && position(storeAppId) === null,
    )!.storeAppId;
    const market = await track(phrase, 30);
    await checkWhile(market, async () => undefined);
    await pipeline.track({ store: 'ios', storeAppId: absent }, [{ phrase, country: 'us' }]);
    const probed = [day, 'itunes'];
    const failProbe = () =>
      rows(
        `insert into store_probes (store, date, provider, state, probed_at)
         values ('ios', $1, $2, 'degraded', now())
         on conflict (date, store, provider) do update set state = excluded.state`,
        probed,
      );
    const ranks = () =>
      rows(
        `select r.position from rankings r join listings l on l.id = r.listing_id
         where r.market_id = $1 and r.date = $2 and l.store_app_id = $3`,
        [market.marketId, day, absent],
      );
    const outcome = await checkWhile(market, failProbe);
    await rows('delete from store_probes where date = $1 and provider = $2', probed);
    expect([outcome, await ranks()]).toEqual(['rescheduled', []]);
    expect(await checkWhile(market, async () => undefined)).toBe('checked');
    expect(await ranks()).toEqual([{ position: null }]);
  });

  test('a deeper search: the row with the ranks of all its apps is of one search', async () => {
    const phrase = notAmongFirst(30, 4);
    const market = await track(phrase, 30);
    await rows(
      `with strange as (
         insert into listings (store, store_app_id, name)
         select 'ios', (1900000000 + n)::text, n::text from generate_series(1, 25) n returning id
       )
       insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
         created_at)
       select k.workspace_id, k.app_id, strange.id, '[]', $2, $2 from keywords k, strange
         where k.id = $1`,
      [market.keywordId, pipeline.clock.now()],
    );
    const lastRanks = () =>
      rows(
        `select l.on_date as date, count(*)::int as apps, l.depth = min(get_byte(r.depths, 9))
             and l.depth = max(get_byte(r.depths, 9)) as "isSameDepth",
           l.listing_ids = string_agg(int4send(r.listing_id), '' order by r.listing_id)
             as "hasSameApps",
           l.daily_ranks = string_agg(substring(r.daily_ranks from 10 for 1), '' order by
             r.listing_id) as "hasSameRanks"
         from last_ranks l join rank_months r on r.market_id = l.market_id
           and r.month = '2026-05-01' and get_byte(r.daily_ranks, 9) <> 0
         where l.market_id = $1 group by l.market_id`,
        [market.marketId],
      );
    expect(await checkWhile(market, async () => undefined)).toBe('checked');
    expect(await lastRanks()).toEqual([
      { date: day, apps: 26, isSameDepth: true, hasSameApps: true, hasSameRanks: true },
    ]);
    await setDepth(market, 200);
    expect(await checkWhile(market, async () => undefined)).toBe('checked');
    await expectGroundTruth(market, '1500000001');
    expect(await lastRanks()).toEqual([]);
  });

  test('an archived app hides what others searched for', async () => {
    const archived = await track('walking timer');
    await rows(
      'update apps set archived_at = $2 where id = (select app_id from keywords where id = $1)',
      [archived.keywordId, pipeline.clock.now()],
    );
    const other = await track('walking timer');
    expect(await checkWhile(other, async () => undefined)).toBe('checked');
    const latest = await rows(
      'select latest_on is null as unknown from keywords where id = any($1) order by id',
      [[archived.keywordId, other.keywordId]],
    );
    expect(latest).toEqual([{ unknown: true }, { unknown: false }]);
  });

  test('a keyword that starts tomorrow gives it no result today', async () => {
    const market = await track('sleep journal');
    const early = await track('sleep journal');
    await rows('update keywords set tracking_periods = $2 where id = $1', [
      early.keywordId,
      JSON.stringify([[addDays(day, 1), 200]]),
    ]);
    const tomorrow = new Date(`${addDays(day, 1)}T00:00:01Z`);
    await rows('update market_schedule set urgent_at = $2 where market_id = $1', [
      market.marketId,
      tomorrow,
    ]);
    expect(await checkWhile(market, async () => undefined)).toBe('checked');
    expect(
      await rows('select 1 from keywords where id = $1 and latest_on is not null', [
        early.keywordId,
      ]),
    ).toEqual([]);
    expect(await isUrgent(market)).toBe(true);
  });
});

async function waitingForTheRow(): Promise<number> {
  const { rows } = await pipeline.db.pool.query<{ count: number }>(
    'select count(*)::int as count from pg_stat_activity where datname = current_database() ' +
      "and wait_event_type = 'Lock' and query like '/* record-check */%'",
  );
  return rows[0]!.count;
}
