import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readHealth } from '#boot/health/read-health.ts';
import { buildDashboard } from '../harness/build-dashboard.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { until } from '../harness/load-recorder.ts';
import { startToprung } from '../harness/process.ts';
import { createDataDir, removeDataDir } from '../harness/product.ts';
import { startRole } from '../harness/start-role.ts';

let db: TestDatabase;
let folder: string;

beforeAll(async () => {
  [db, folder] = await Promise.all([createTestDatabase(), createDataDir()]);
  await buildDashboard();
});
afterAll(async () => {
  await db.drop();
  await removeDataDir(folder);
});

/** A role with a socket of its own. */
const start = (role: 'api' | 'worker' | 'web', settings: Record<string, string>) =>
  startRole(role, {
    DATA_DIR: folder,
    API_PORT: '0',
    WEB_PORT: '0',
    HEALTH_SOCKET: socketOf(role),
    ...settings,
  });
const socketOf = (role: string) => join(folder, `${role}.sock`);

async function askWithCommand(socket: string, ...flags: string[]) {
  const child = startToprung(['health', ...flags], { HEALTH_SOCKET: socket });
  const { code } = await child.exited;
  return { code, output: child.output() };
}

describe('health', () => {
  test('of an API is that of the database, and of a worker also that of the queue', async () => {
    const database = { name: 'database', ok: true };
    const parts = { api: [database], worker: [database, { name: 'queue', ok: true }] };
    for (const role of ['api', 'worker'] as const) {
      const running = await start(role, { DATABASE_URL: db.url });
      expect(await readHealth(socketOf(role), '/ready')).toEqual({
        role,
        state: 'ok',
        uptimeSeconds: expect.any(Number),
        checks: parts[role],
      });
      await running.stop();
      await expect(readHealth(socketOf(role), '/live')).rejects.toThrow(/No process reports on/);
    }
  });

  test('of an API stays ok, and that of a worker fails, while nothing can be written', async () => {
    const full = await createTestDatabase();
    onTestFinished(() => full.drop());
    const roles = ['api', 'worker'] as const;
    const settings = { DATABASE_URL: full.url, LOG_LEVEL: 'silent' };
    const running = await Promise.all(roles.map((role) => start(role, settings)));
    // As on a full disk, reads go on.
    const write = 'pg_logical_emit_message(boolean, text, text, boolean)';
    await full.pool.query(`revoke execute on function ${write} from public`);
    const stateOf = async (role: (typeof roles)[number]) =>
      (await readHealth(socketOf(role), '/ready')).state;
    await until(async () => (await stateOf('worker')) === 'failing', 30_000, 'a failing worker');
    expect(await stateOf('api')).toBe('ok');
    await Promise.all(running.map((role) => role.stop()));
  });

  test('of the web origin is that of the API, whose loss leaves it alive', async () => {
    const api = await start('api', { DATABASE_URL: db.url });
    const web = await start('web', { API_URL: api.url });
    onTestFinished(() => web.stop());
    expect(await askWithCommand(socketOf('web'))).toMatchObject({
      code: 0,
      output: 'web ok, api ok\n',
    });
    await api.stop();
    const failing = await askWithCommand(socketOf('web'), '--json');
    expect(failing.code).toBe(1);
    expect(JSON.parse(failing.output)).toMatchObject({
      state: 'failing',
      checks: [{ name: 'api', ok: false }],
    });
    expect(await askWithCommand(socketOf('web'), '--live')).toMatchObject({ code: 0 });
  });

  test('of a process that waits for a migration is alive and not ready', async () => {
    const other = await db.pool.connect();
    await other.query('select pg_advisory_lock(7470731)');
    const starting = start('api', { DATABASE_URL: db.url });
    const live = () => readHealth(socketOf('api'), '/live').catch(() => null);
    await until(async () => (await live()) !== null, 30_000, 'the socket');
    expect(await readHealth(socketOf('api'), '/ready')).toMatchObject({ state: 'starting' });
    other.release(true);
    await (await starting).stop();
  });

  test('of a database that is gone is failing', async () => {
    const lost = await createTestDatabase();
    const api = await start('api', { DATABASE_URL: lost.url, LOG_LEVEL: 'silent' });
    await lost.drop();
    expect(await readHealth(socketOf('api'), '/ready')).toMatchObject({
      state: 'failing',
      checks: expect.arrayContaining([{ name: 'database', ok: false }]),
    });
    await api.stop();
  });

  test('without HEALTH_SOCKET says what to set', async () => {
    const { code, output } = await askWithCommand('');
    expect([code, output]).toEqual([78, expect.stringContaining('Set HEALTH_SOCKET to a path')]);
  });
});
