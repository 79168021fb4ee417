import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#config/env.ts';
import { everyPace } from '#config/pace-settings.ts';
import { providersIn } from '#config/provider-settings.ts';
import { beginSeries } from '#domain/tracking/rankings/begin-series.ts';
import { listReferenceMarkets } from '#db/queries/anomalies/reference-markets.ts';
import { addDays } from '#lib/dates.ts';
import { makePhrases } from '../harness/ground-truth.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';

keepOrder('each day follows the day before');

/** The first provider lists up to 200 apps, the second up to 30. */
const providers = 'enterprise,web';
const days = Array.from({ length: 4 }, (_, index) => addDays('2026-06-01', index));
const [first, failing, switched, last] = days as [string, string, string, string];
const markets = 12;
let pipeline: Pipeline;

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await pipeline.db.pool.query(text, values)).rows as T[];
const lengthsOn = (day: string) =>
  rows(
    `select provider, count(*)::int as markets, max(result_count) as longest from serps
     where on_date = $1 group by provider`,
    [day],
  );
const configure = (names: string) => {
  const config = readConfig({ SCRAPE_ANDROID_PROVIDERS: names, ...everyPace('1000000') });
  pipeline.runtime.services.settings.searchProviders = providersIn(config);
  return beginSeries(pipeline.runtime.services);
};

beforeAll(async () => {
  pipeline = await startPipeline({
    day: first,
    storeTasks: false,
    simulator: { world: { apps: 600, androidMode: 'web30' } },
    environment: { SCRAPE_ANDROID_PROVIDERS: providers },
  });
  const phrases = makePhrases(markets);
  const order = pipeline.simulator.order({ store: 'android', ...phrases[0]!, day: first });
  await pipeline.track({ store: 'android', storeAppId: order[3]! }, phrases);
  await pipeline.runDay(first);
});
afterAll(() => pipeline.close());

test('the shorter list of a fallback is kept beside the gap', async () => {
  expect(await lengthsOn(first)).toEqual([{ provider: 'enterprise', markets, longest: 200 }]);
  pipeline.simulator.setFaults([{ fault: '503', kind: 'enterprise-search' }]);
  await pipeline.runDay(failing);
  pipeline.simulator.setFaults([]);
  expect(
    await rows(
      `select f.provider, count(*)::int as markets, max(result_count) as longest
       from market_gaps g left join fallback_checks f using (market_id, on_date)
       where g.on_date = $1 group by f.provider`,
      [failing],
    ),
  ).toEqual([{ provider: 'web', markets, longest: 30 }]);
});

test('shorter lists of another first provider are no gaps and no anomaly', async () => {
  await configure('web');
  for (const day of [switched, last]) {
    await pipeline.runDay(day);
    expect(await lengthsOn(day)).toEqual([{ provider: 'web', markets, longest: 30 }]);
  }
  expect(await rows('select 1 from market_gaps where on_date >= $1', [switched])).toEqual([]);
  expect(await rows('select 1 from response_anomalies')).toEqual([]);
});

test('no market is a reference with the usual length of another provider', async () => {
  const of = { store: 'android', except: null, limit: markets } as const;
  const { systemDb } = pipeline.runtime.services;
  const day = addDays(last, 1);
  expect(await listReferenceMarkets(systemDb, { ...of, provider: 'web', day })).not.toEqual([]);
  await configure(providers);
  expect(await listReferenceMarkets(systemDb, { ...of, provider: 'enterprise', day })).toEqual([]);
});
