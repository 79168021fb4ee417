import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openParquetExporter,
  type OwnParquetExporter,
} from '#boot/parquet/open-parquet-exporter.ts';
import { readConfig } from '#config/env.ts';
import {
  startDueParquetExport,
  waitForParquetExport,
} from '#domain/scheduling/parquet/start-due-parquet-export.ts';
import { TestClock } from '#lib/clock.ts';
import { utcDayOf, addDays } from '#lib/dates.ts';
import { silentLogger } from '#lib/logger.ts';
import { root } from '#scripts/rules/source-tree.ts';
import { startApi, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { until } from '../harness/load-recorder.ts';
import { fillWorld, randomOf } from '../readers/readers.fixtures.ts';

keepOrder('each test continues on the days of the one before');

// The process that writes has the clock of the machine.
const today = utcDayOf(new Date());
const clock = new TestClock(`${today}T03:00:00Z`);
const alerts: object[] = [];
let api: TestApi;
let folder: string;
let workspaceId: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-parquet-'));
  const log = { ...silentLogger, error: (facts: object) => void alerts.push(facts) } as never;
  api = await startApi({ clock, services: { log } });
  ({ workspaceId } = await api.signUp());
  const world = { random: randomOf(5), now: new Date() };
  await fillWorld(api.db.pool, [workspaceId], world);
});
afterAll(async () => {
  await api?.close();
  await rm(folder, { recursive: true, force: true });
});

const open = (PARQUET_DIR = join(folder, 'exports')): OwnParquetExporter =>
  openParquetExporter(readConfig({ PARQUET_AT: '04:00', PARQUET_DIR, DATA_DIR: folder }), {
    urlOf: () => api.db.url,
  })!;
const tick = async (parquet = open()) => {
  const services = { ...api.services, parquet };
  await startDueParquetExport(services);
  await waitForParquetExport(services);
};
const runs = async () =>
  (
    await api.db.pool.query(
      `select to_char(scheduled_for at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at, state,
         attempts, written, error from parquet_exports order by scheduled_for`,
    )
  ).rows;

describe('the nightly Parquet export', () => {
  test('is off without PARQUET_AT, and goes into DATA_DIR without PARQUET_DIR', async () => {
    const urlOf = () => api.db.url;
    expect(openParquetExporter(readConfig({ DATA_DIR: folder }), { urlOf })).toBeNull();
    const config = readConfig({ PARQUET_AT: '04:00', DATA_DIR: join(folder, 'data') });
    await openParquetExporter(config, { urlOf })!.write(new AbortController().signal);
    expect(await readdir(join(folder, 'data', 'exports'))).toEqual([`workspace=${workspaceId}`]);
  });

  test('is written once a day by one of any number of processes', async () => {
    await Promise.all([tick(), tick(), tick()]);
    await tick();
    expect(await runs()).toEqual([
      {
        at: `${addDays(today, -1)} 04:00`,
        state: 'succeeded',
        attempts: 1,
        written: expect.any(Number),
        error: null,
      },
    ]);
    const months = await readdir(join(folder, 'exports', `workspace=${workspaceId}`));
    expect(months.length).toBeGreaterThan(2);
    clock.set(`${today}T04:00:00Z`);
    await tick();
    expect((await runs()).map(({ state, written }) => [state, written])).toEqual([
      ['succeeded', months.length],
      ['succeeded', 0],
    ]);
  });

  test('is tried again ten minutes after a failure, which is reported', async () => {
    clock.set(`${addDays(today, 1)}T04:00:00Z`);
    await writeFile(join(folder, 'file'), '');
    await tick(open(join(folder, 'file', 'below')));
    expect((await runs()).at(-1)).toMatchObject({ state: 'failed', error: /ENOTDIR/ as never });
  });

  test('continues in another process when the lease of a dead one is over', async () => {
    clock.set(`${addDays(today, 2)}T04:00:00Z`);
    await api.db.pool.query(
      `insert into parquet_exports (scheduled_for, state, started_at, leased_until)
       values ($1, 'running', $1, $1::timestamptz + interval '1 minute')`,
      [clock.now()],
    );
    await tick();
    expect((await runs()).at(-1)).toMatchObject({ state: 'running', attempts: 1 });
    clock.set(`${addDays(today, 2)}T04:01:00Z`);
    await tick();
    expect((await runs()).at(-1)).toMatchObject({ state: 'succeeded', attempts: 2 });
  });

  test('ends when the process that waits for it is killed', async () => {
    const config = { PARQUET_AT: '04:00', DATA_DIR: folder, PARQUET_DIR: join(folder, 'killed') };
    const script = `
      import { openParquetExporter } from '#boot/parquet/open-parquet-exporter.ts';
      import { readConfig } from '#config/env.ts';
      const urlOf = () => ${JSON.stringify(api.db.url)};
      const exporter = openParquetExporter(readConfig(${JSON.stringify(config)}), { urlOf });
      await exporter.write(new AbortController().signal);`;
    const holder = await api.db.pool.connect();
    const sessions = async () =>
      (
        await api.db.pool.query(
          `select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).rowCount;
    await holder.query('begin');
    await holder.query('lock table keywords in access exclusive mode');
    const options = { cwd: root, stdio: 'ignore' as const };
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], options);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    try {
      await until(async () => (await sessions()) === 1, 60_000, 'an export that waits');
    } finally {
      child.kill('SIGKILL');
      await exited;
    }
    await until(async () => (await sessions()) === 0, 60_000, 'the end of its session');
    await holder.query('rollback');
    holder.release();
  });

  test('ends with the process, and is due again at once', async () => {
    clock.set(`${addDays(today, 3)}T04:00:00Z`);
    const exporter = open();
    const services = { ...api.services, parquet: exporter };
    await startDueParquetExport(services);
    exporter.stop();
    await waitForParquetExport(services);
    expect((await runs()).at(-1)).toMatchObject({ state: 'failed' });
    await tick();
    expect((await runs()).at(-1)).toMatchObject({ state: 'succeeded', attempts: 2 });
  });
});
