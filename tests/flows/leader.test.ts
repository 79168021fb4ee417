import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { everyPace } from '#config/pace-settings.ts';
import { joinElection } from '#db/election.ts';
import { utcDayOf } from '#lib/dates.ts';
import { silentLogger } from '#lib/logger.ts';
import { startFaultProxy } from '../harness/fault-proxy.ts';
import { compareWithGroundTruth, makePhrases } from '../harness/ground-truth.ts';
import { until } from '../harness/load-recorder.ts';
import { locatePostgres } from '../harness/locate-postgres.ts';
import { pauseProcess } from '../harness/pause-process.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';
import { startToprung, type Child } from '../harness/process.ts';

const today = utcDayOf(new Date());
const elected = 'elected as the leader';
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = await startPipeline({
    day: today,
    work: false,
    simulator: { world: { apps: 300, resultsPerSearch: 60 } },
  });
});
afterAll(() => pipeline.close());

const countElected = (worker: Child) => worker.output().split(elected).length - 1;

describe('two worker processes', () => {
  const workers: Child[] = [];
  const start = async () => {
    const worker = startToprung(['start', '--role', 'worker'], {
      DATABASE_URL: pipeline.db.url,
      STORE_BASE_URL: pipeline.simulator.baseUrl,
      ...everyPace('1000000'),
      DAILY_RUN_AT: '00:00',
      QUEUE_STALL_SECONDS: '1',
      LOG_LEVEL: 'info',
    });
    workers.push(worker);
    await worker.waitFor('The worker is up');
    return worker;
  };
  afterAll(() => Promise.all(workers.map((worker) => worker.kill('SIGKILL'))));

  let added = 0;
  /** Markets that somebody waits for: a scheduler enqueues their checks. */
  const checkMore = async (): Promise<TrackedMarket[]> => {
    const phrases = makePhrases(added + 4).slice(added);
    added += 4;
    const markets = await pipeline.track({ store: 'ios', storeAppId: '1500000001' }, phrases);
    const ids = markets.map(({ marketId }) => marketId);
    await pipeline.db.pool.query(
      'update market_schedule set urgent_at = now() where market_id = any($1)',
      [ids],
    );
    const countChecked = async () =>
      (
        await pipeline.db.pool.query(
          'select 1 from market_schedule where market_id = any($1) and checked_on = $2',
          [ids, today],
        )
      ).rowCount;
    await until(async () => (await countChecked()) === ids.length, 30_000, 'the checks');
    return markets;
  };

  test('have one leader, also when it is paused, goes on, or is killed', async () => {
    const first = await start();
    await first.waitFor(elected);
    const second = await start();
    const markets = await checkMore();
    expect([countElected(first), countElected(second)]).toEqual([1, 0]);

    const resume = pauseProcess(first.pid);
    await second.waitFor(elected);
    markets.push(...(await checkMore()));
    resume();
    await first.waitFor('no longer the leader');
    markets.push(...(await checkMore()));
    expect([countElected(first), countElected(second)]).toEqual([1, 1]);

    const killedMs = performance.now();
    await second.kill('SIGKILL');
    await until(async () => countElected(first) === 2, 60_000, 'the election of the other one');
    expect(performance.now() - killedMs).toBeLessThan(30_000);
    markets.push(...(await checkMore()));
    expect(await compareWithGroundTruth(pipeline, markets, [today])).toMatchObject({
      rows: markets.length,
      gaps: 0,
      wrong: [],
      withoutOutcome: [],
      withTwoOutcomes: [],
    });
    expect((await pipeline.db.pool.query('select 1 from runs')).rowCount).toBe(1);
  }, 600_000);
});

test('a leader whose connection is silent is none before another one is elected', async () => {
  const { url, at } = locatePostgres(pipeline.db.url);
  const proxy = await startFaultProxy(at);
  url.port = String(proxy.port);
  // A busy machine does not hold up a confirmation for most of this.
  const join = (to: string) => joinElection({ url: to, log: silentLogger, silenceMs: 4_000 });
  const leader = join(url.href);
  await until(leader.isLeader, 60_000, 'the end of the session before, and an election');
  const ready = join(pipeline.db.url);
  await ready.decided;
  const states = () => [leader.isLeader(), ready.isLeader()];
  onTestFinished(async () => {
    await Promise.all([leader.close(), ready.close()]);
    await proxy.close();
  });
  expect(states()).toEqual([true, false]);
  proxy.setFault({ kind: 'half-open' });
  let hadTwo = false;
  const isReplaced = () => {
    hadTwo ||= states().every((isLeader) => isLeader);
    return ready.isLeader();
  };
  await until(isReplaced, 60_000, 'another leader');
  expect({ hadTwo, states: states() }).toEqual({ hadTwo: false, states: [false, true] });
});

test('a leader that is alone confirms its session after work of its process', async () => {
  let notifyWork: () => void = () => undefined;
  const leader = joinElection({
    url: pipeline.db.url,
    log: silentLogger,
    // Without work it would be confirmed after 200 seconds.
    silenceMs: 600_000,
    onOwnWork: (listener) => (notifyWork = listener),
  });
  onTestFinished(() => leader.close());
  await until(leader.isLeader, 60_000, 'the end of the session before, and an election');
  let changes = 0;
  leader.onChange(() => (changes += 1));
  const isSilent = async () => {
    const { rows } = await pipeline.db.pool.query<{ silent: boolean }>(
      `select now() - query_start > interval '3 seconds' as silent from pg_stat_activity
        where pid = (select pid from pg_locks where locktype = 'advisory' and objid = 7470732
          and database = (select oid from pg_database where datname = current_database()))`,
    );
    return rows[0]?.silent === true;
  };
  await until(isSilent, 30_000, 'a session that nothing confirms');
  const before = leader.snapshot();
  await pipeline.db.pool.query('create table written (id int)');
  expect([leader.snapshot(), changes]).toEqual([before, 0]);
  notifyWork();
  await until(async () => changes > 0, 30_000, 'the snapshot after the write');
  expect(leader.snapshot()).not.toBe(before);
  await pipeline.db.pool.query('drop table written');
});
