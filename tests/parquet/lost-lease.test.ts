import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ParquetExporter, WrittenParquet } from '#domain/base/ports.ts';
import {
  startDueParquetExport,
  waitForParquetExport,
} from '#domain/scheduling/parquet/start-due-parquet-export.ts';
import { TestClock } from '#lib/clock.ts';
import { silentLogger } from '#lib/logger.ts';
import { startApi, type TestApi } from '../harness/api.ts';

const clock = new TestClock('2026-11-20T00:30:00Z');
let api: TestApi;
let alerts: object[];
let day = 20;

beforeAll(async () => {
  const log = { ...silentLogger, error: (facts: object) => void alerts.push(facts) };
  api = await startApi({ clock, services: { log: log as never } });
});
beforeEach(() => {
  alerts = [];
  day += 1;
  clock.set(`2026-11-${day}T04:00:00Z`);
});
afterAll(() => api.close());

/** A process whose work ends when the test says so. */
function openProcess() {
  const written = Promise.withResolvers<WrittenParquet>();
  const parquet: ParquetExporter = {
    atMinutes: 240,
    write: () => written.promise,
    isStopping: () => false,
  };
  return { written, services: { ...api.services, parquet } };
}

const newest = async () =>
  (
    await api.db.pool.query(
      `select state, attempts, rows::int as rows from parquet_exports
       order by scheduled_for desc limit 1`,
    )
  ).rows[0];

test.each(['fails', 'is done'])(
  'an export that %s after another process took it over changes nothing',
  async (end) => {
    const [cutOff, successor] = [openProcess(), openProcess()];
    await startDueParquetExport(cutOff.services);
    clock.advance(61_000);
    await startDueParquetExport(successor.services);
    const outcome = { files: 1, written: 1, removed: 0 };
    if (end === 'fails') cutOff.written.reject(new Error('the connection broke off'));
    else cutOff.written.resolve({ ...outcome, rows: 1 });
    await waitForParquetExport(cutOff.services);
    expect([await newest(), alerts]).toMatchObject([{ state: 'running', attempts: 2 }, []]);
    successor.written.resolve({ ...outcome, rows: 2 });
    await waitForParquetExport(successor.services);
    expect([await newest(), alerts]).toMatchObject([{ state: 'succeeded', rows: 2 }, []]);
  },
);
