import { createServer } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabaseServer, type Database } from '#boot/database.ts';
import { addReader, readReaders, removeReader } from '#boot/readers/manage-readers.ts';
import { readConfig } from '#config/env.ts';
import { findRunningServer } from '#embedded-postgres/running-server.ts';
import { SetupError } from '#lib/setup-error.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { silentLogger } from '#lib/logger.ts';
import { findFreePort } from '../harness/free-port.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { copyInitializedDataDir } from '../harness/prepared-data-dir.ts';

keepOrder('the last test stops the server of the others');

let folder: string;
let port: number;
let database: Database;
const running = new ShutdownStack();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-readers-'));
  await copyInitializedDataDir(folder);
  port = await findFreePort();
  database = await openDatabaseServer(config(), silentLogger, running);
  await owner("insert into workspaces (name) values ('Mine')");
});
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

const config = () =>
  readConfig({ DATA_DIR: folder, READER_PORT: String(port), LOG_LEVEL: 'silent' });

async function owner(text: string): Promise<pg.QueryResult> {
  return withClient({ connectionString: database.urlOf('owner') }, (client) => client.query(text));
}

async function withClient<T>(
  options: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(options);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const overTcp = (user: string, password: string, name = 'toprung') =>
  withClient(
    { host: '127.0.0.1', port, user, password, database: name },
    async (client) => (await client.query('select name from reader.workspace')).rows,
  );

describe('the embedded database with READER_PORT', () => {
  test('accepts readers on loopback, by password, while the product runs', async () => {
    const { rows } = await owner('select id from workspaces');
    const reader = { workspaceId: rows[0].id, label: 'Grafana', login: null };
    const stack = new ShutdownStack();
    const made = await addReader(config(), stack, reader);
    expect(made.connection).toEqual({
      host: '127.0.0.1',
      port: String(port),
      database: 'toprung',
      isOpen: true,
    });
    expect(await overTcp(made.login, made.password!)).toEqual([{ name: 'Mine' }]);
    await expect(overTcp(made.login, 'wrong')).rejects.toThrow(/password authentication failed/);
    await expect(overTcp(made.login, made.password!, 'postgres')).rejects.toThrow(/rejects/);
    const [listed] = await readReaders(config(), stack);
    expect(listed).toMatchObject({ login: made.login, label: 'Grafana', canLogIn: true });
    await removeReader(config(), stack, made.login);
    await expect(overTcp(made.login, made.password!)).rejects.toThrow();
    await stack.close();
  });

  test('accepts nobody else there: no superuser, none of its own roles', async () => {
    for (const user of ['postgres', 'toprung_app', 'toprung_system'])
      await expect(overTcp(user, ''), user).rejects.toThrow(/pg_hba.conf rejects/);
  });

  test('is found by other commands, which use the socket', async () => {
    const url = (await findRunningServer(folder))('toprung');
    const found = await withClient({ connectionString: url }, (client) =>
      client.query('show listen_addresses'),
    );
    expect(found.rows).toEqual([{ listen_addresses: '127.0.0.1' }]);
  });
});

describe('the embedded database', () => {
  test('has no port without READER_PORT, and refuses one that is taken', async () => {
    await running.close();
    const without = new ShutdownStack();
    const plain = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' });
    const closed = await openDatabaseServer(plain, silentLogger, without);
    const listens = await withClient({ connectionString: closed.urlOf('owner') }, (client) =>
      client.query('show listen_addresses'),
    );
    expect(listens.rows).toEqual([{ listen_addresses: '' }]);
    await expect(overTcp('postgres', '')).rejects.toThrow(/ECONNREFUSED/);
    await without.close();
    const other = createServer().listen(port, '127.0.0.1');
    const refused = new ShutdownStack();
    await expect(openDatabaseServer(config(), silentLogger, refused)).rejects.toThrow(SetupError);
    await refused.close();
    await new Promise((resolve) => other.close(resolve));
  });
});
