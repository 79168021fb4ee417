import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyPace } from '#config/pace-settings.ts';
import { addDays, listDays } from '#lib/dates.ts';
import { silentLogger, type Logger } from '#lib/logger.ts';
import { mix, unit } from '#simulator/world/hash.ts';
import {
  startSimulator,
  type FaultName,
  type FaultRule,
  type Simulator,
} from '#simulator/server.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { compareWithGroundTruth, makePhrases } from '../harness/ground-truth.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';
import { trackProgress } from '../harness/progress.ts';

keepOrder('the stores withhold results on every second day of one calendar');

const isLong = process.env.TORTURE !== undefined;
const scale = isLong ? { markets: 60, runs: 40, honest: 60 } : { markets: 12, runs: 4, honest: 2 };
const seed = Number(process.env.TEST_SEED ?? 1);
const firstDay = '2026-03-01';
const probePhrase = 'weather';

const kinds = ['no-results', 'halved', 'thinned', 'shorter'] as const satisfies FaultName[];
const shares = [1, 0.5, 0.05, 0.25, 0.9, 0.1] as const;

interface Lie {
  kind: (typeof kinds)[number];
  share: number;
  /** The number of requests before the first lie. */
  after: number;
  /** The number of lies, after which the stores are honest again; null for the whole day. */
  times: number | null;
  /** One of the two egress addresses; null for both. */
  address: string | null;
}

/** The first lies are chosen, the others drawn. */
function planLie(run: number): Lie {
  const draw = (of: string) => unit(mix(seed, run * 31 + of.length));
  const chosen = run < 4;
  return {
    kind: kinds[run % kinds.length]!,
    share: run === 3 ? 1 : chosen ? [1, 0.5, 0.1][run]! : shares[Math.floor(draw('s') * 6)]!,
    after: chosen ? [4, 3, 5, 0][run]! : Math.floor(draw('after') * scale.markets * 2),
    times: run === 1 || (!chosen && draw('timesX') < 0.3) ? scale.markets : null,
    address: run === 3 || (!chosen && draw('address') < 0.3) ? proxyAddress() : null,
  };
}

let simulator: Simulator;
let pipeline: Pipeline;
const tracked: { market: TrackedMarket; from: string }[] = [];
const lies: { day: string; lie: Lie }[] = [];
const logged: string[] = [];

const proxyAddress = () => `proxy:${new URL(simulator.proxyUrls[1]!).port}`;
const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await pipeline.db.pool.query(text, values)).rows as T[];

async function track(day: string, phrases: { phrase: string; country: string }[]): Promise<void> {
  for (const app of [
    { store: 'ios', storeAppId: '1500000001' },
    { store: 'android', storeAppId: 'app.lumen.habits' },
  ] as const)
    for (const market of await pipeline.track(app, phrases)) tracked.push({ market, from: day });
}

async function runDay(day: string, rules: FaultRule[] = []): Promise<void> {
  // An endpoint that cools for an hour of real time would cool for the rest of the calendar.
  await rows('update pacing set cooldown_until = null');
  pipeline.simulator.setFaults(rules);
  await pipeline.runDay(day, { stepMs: 10 * 60_000 });
  pipeline.simulator.setFaults([]);
}

beforeAll(async () => {
  simulator = await startSimulator({
    listeners: 2,
    compress: false,
    world: { apps: 800, resultsPerSearch: 80, androidMode: 'web30' },
  });
  pipeline = await startPipeline({
    day: firstDay,
    running: simulator,
    storeTasks: false,
    environment: {
      ...everyPace('1000000'),
      EGRESS_PROXIES: simulator.proxyUrls.join(','),
      SCRAPE_IOS_PROVIDERS: 'web',
    },
    log: collect(),
  });
  await track(firstDay, makePhrases(scale.markets));
  for (const day of [firstDay, addDays(firstDay, 1)]) await runDay(day);
}, 600_000);
afterAll(() => pipeline.close());

function collect(): Logger {
  const add = (_: unknown, message?: string) => void logged.push(message ?? '');
  return { ...silentLogger, warn: add, error: add };
}

test(`${scale.runs} days of withheld results leave no false position`, async () => {
  const part = { name: 'days of withheld results', total: scale.runs, limitMs: 1_200_000 };
  await trackProgress(part, async ({ add }) => {
    for (let run = 0; run < scale.runs; run++) {
      const day = addDays(firstDay, 2 + 2 * run);
      const lie = planLie(run);
      lies.push({ day, lie });
      // New markets have no usual length to compare with.
      const added = Array.from({ length: 2 }, (_, index) => ({
        phrase: `new phrase ${run} ${index}`,
        country: 'us',
      }));
      pipeline.clock.set(`${day}T00:30:00Z`);
      await track(day, added);
      await runDay(day, [
        {
          fault: lie.kind,
          kind: 'search',
          probability: lie.share,
          after: lie.after,
          except: [probePhrase],
          ...(lie.times !== null && { times: lie.times }),
          ...(lie.address !== null && { address: lie.address }),
        },
      ]);
      await runDay(addDays(day, 1));
      add();
    }
  });
  const days = listDays(firstDay, addDays(firstDay, 1 + 2 * scale.runs));
  const result = { rows: 0, gaps: 0, falseNotFound: [] as string[], wrong: [] as string[] };
  for (const { market, from } of tracked) {
    const own = days.filter((day) => day >= from);
    const verdict = await compareWithGroundTruth(pipeline, [market], own);
    expect([verdict.withoutOutcome, verdict.withTwoOutcomes]).toEqual([[], []]);
    result.rows += verdict.rows;
    result.gaps += verdict.gaps;
    result.falseNotFound.push(...verdict.falseNotFound);
    result.wrong.push(...verdict.wrong);
  }
  const anomalies = await rows('select on_date from response_anomalies');
  console.log(
    `withheld: ${scale.runs} days, ${result.rows} rows, ${result.gaps} gaps, ` +
      `${anomalies.length} anomalies, ${result.falseNotFound.length} false, ` +
      `${result.wrong.length} wrong`,
  );
  expect(result).toMatchObject({ falseNotFound: [], wrong: [] });
}, 1_260_000);

test('honest days have no gap and no anomaly', async () => {
  const honest = listDays(firstDay, addDays(firstDay, 1 + 2 * scale.runs)).filter((day) =>
    lies.every((lie) => lie.day !== day),
  );
  expect(await rows('select * from market_gaps where on_date = any($1)', [honest])).toEqual([]);
  expect(await rows('select * from response_anomalies where on_date = any($1)', [honest])).toEqual(
    [],
  );
});

test('days on which the stores rank a third of all places anew raise no alarm', async () => {
  const first = addDays(firstDay, 2 + 2 * scale.runs);
  const days = listDays(first, addDays(first, scale.honest - 1));
  simulator.addOverrides({ rerankings: [{ day: days[days.length >> 1]!, share: 0.3 }] });
  for (const day of days) await runDay(day);
  const markets = tracked.map(({ market }) => market);
  expect(await compareWithGroundTruth(pipeline, markets, days)).toMatchObject({
    rows: markets.length * days.length,
    gaps: 0,
    wrong: [],
    falseNotFound: [],
  });
  expect(await rows('select * from response_anomalies where on_date >= $1', [first])).toEqual([]);
}, 1_260_000);

test('such a provider counts as degraded, and a single address cools down', async () => {
  const all = lies.find(({ lie }) => lie.share === 1 && lie.address === null)!;
  expect(
    await rows('select distinct store from response_anomalies where on_date = $1', [all.day]),
  ).toHaveLength(2);
  expect(logged).toContain(
    'a search provider withholds results; it is left out until known searches are whole',
  );
  const one = lies.find(({ lie }) => lie.share === 1 && lie.address !== null)!;
  expect(await rows('select 1 from response_anomalies where on_date = $1', [one.day])).toEqual([]);
  // A dozen markets may get too few of them through that address to be sure.
  if (isLong) expect(logged).toContain('an egress endpoint gets short results and cools down');
  expect(await rows('select 1 from market_gaps where on_date = $1', [one.day])).toEqual([]);
});

test('no alert reports a drop that did not happen', async () => {
  const events = await rows<{ date: string; keywordId: number; body: string }>(
    `select body::jsonb->'data'->'to'->>'date' as date,
       (body::jsonb->'data'->>'keywordId')::int as "keywordId", body
     from events where type = 'rank.dropped'`,
  );
  console.log(`withheld: ${events.length} drops`);
  const wrong: object[] = [];
  for (const { date, keywordId, body } of events) {
    const { market } = tracked.find(({ market: one }) => one.keywordId === keywordId)!;
    const truth = simulator.groundTruth({ ...market, day: date });
    const [stored] = await rows<{ position: number | null }>(
      'select position from rankings where market_id = $1 and date = $2',
      [market.marketId, date],
    );
    const isVisible = truth.position !== null && truth.position <= truth.visible;
    if ((stored?.position ?? null) !== (isVisible ? truth.position : null))
      wrong.push({ date, stored: stored ?? 'no row', truth, body });
  }
  expect(wrong).toEqual([]);
});
