import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBackup } from '#backups/open-backup.ts';
import { restoreInstance } from '#boot/backups/restore-instance.ts';
import { renewPassword, readReaders, removeReader } from '#boot/readers/manage-readers.ts';
import { readConfig, type Config } from '#config/env.ts';
import { restoreReaders, type RestoredReaders } from '#db/readers/restore-readers.ts';
import { scramVerifier } from '#db/readers/scram-verifier.ts';
import { CommandError } from '#lib/command-error.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { backUp, createEmptyDatabase, type EmptyDatabase } from '../backups/backup-databases.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { connectAs, makeReader, type TestReader } from './readers.fixtures.ts';

let folder: string;
let path: string;
let api: TestApi;
let mine: Account;
let reader: TestReader;
/** Restored into, on the same server. */
let target: EmptyDatabase;
let config: Config;
let restored: RestoredReaders;
const stack = new ShutdownStack();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-test-readers-'));
  path = join(folder, 'readers.backup');
  api = await startApi();
  mine = await api.signUp();
  reader = await makeReader(api.db, mine.workspaceId);
  await backUp(api.db.url, path);
  target = await createEmptyDatabase();
  config = readConfig({ DATABASE_URL: target.url, DATA_DIR: folder, LOG_LEVEL: 'silent' });
  restored = await restore();
});
afterAll(async () => {
  await stack.close();
  await reader?.revoke();
  await api?.close();
  await target?.drop();
  await rm(folder, { recursive: true });
});

async function restore(): Promise<RestoredReaders> {
  const options = { replaces: true, readPassphrase: null, onTable: () => undefined };
  return (await restoreInstance(config, stack, path, options)).readers;
}

async function readWorkspaces(url: string, login: string, password: string): Promise<unknown[]> {
  const client = await connectAs(url, login, password);
  const { rows } = await client.query<{ id: number }>('select id from reader.workspace');
  await client.end();
  return rows.map(({ id }) => id);
}

/** The server of the tests lets everybody in, so what it keeps of the password is compared. */
async function hasPassword(login: string, password: string): Promise<boolean> {
  const { rows } = await api.db.pool.query<{ kept: string }>(
    'select rolpassword as kept from pg_authid where rolname = $1',
    [login],
  );
  const { kept } = rows[0]!;
  const salt = /:([^$]+)\$/.exec(kept)![1]!;
  return scramVerifier(password, Buffer.from(salt, 'base64')) === kept;
}

/** Logins belong to the server of all tests. */
async function dropLogin(login: string): Promise<void> {
  await api.db.pool.query(`drop role ${pg.escapeIdentifier(login)}`);
}

describe('a restored reader', () => {
  test('is in the backup without what the server keeps of its password', async () => {
    expect((await openBackup(path)).manifest.readers).toEqual([
      {
        login: reader.login,
        workspaceId: mine.workspaceId,
        label: 'test',
        createdAt: expect.any(String),
        verifier: null,
      },
    ]);
  });

  test('reads its workspace again where the server has its login', async () => {
    const read = () => readWorkspaces(target.url, reader.login, reader.password);
    const complete = { complete: [reader.login], withoutPassword: [], missing: [] };
    expect(restored).toEqual(complete);
    expect(await read()).toEqual([mine.workspaceId]);
    expect(await restore()).toEqual(complete);
    expect(await read()).toEqual([mine.workspaceId]);
  });

  test('has a login without a password on another server, until a command sets one', async () => {
    const other = await makeReader(api.db, mine.workspaceId);
    await backUp(api.db.url, join(folder, 'other.backup'));
    const { manifest } = await openBackup(join(folder, 'other.backup'));
    await dropLogin(other.login);
    const stored = manifest.readers.filter(({ login }) => login === other.login);
    const found = await restoreReaders(target.url, stored);
    expect(found).toEqual({ complete: [], withoutPassword: [other.login], missing: [] });
    const refused = readWorkspaces(target.url, other.login, other.password);
    await expect(refused).rejects.toThrow('not permitted to log in');
    const listed = await readReaders(config, stack);
    expect(listed.find(({ login }) => login === other.login)).toMatchObject({
      workspaceId: mine.workspaceId,
      label: 'test',
      canLogIn: false,
    });
    const { password } = await renewPassword(config, stack, other.login);
    expect(await readWorkspaces(target.url, other.login, password)).toEqual([mine.workspaceId]);
    expect(await hasPassword(other.login, password)).toBe(true);
    await removeReader(config, stack, other.login);
    const { rowCount } = await api.db.pool.query('select from pg_roles where rolname = $1', [
      other.login,
    ]);
    expect(rowCount).toBe(0);
  });

  test('that never got a password can be revoked, and leaves no login', async () => {
    const login = `toprung_reader_unused_${process.pid}`;
    const stored = { login, workspaceId: mine.workspaceId, label: null, verifier: null };
    await restoreReaders(target.url, [{ ...stored, createdAt: '2026-11-20T00:00:00.000Z' }]);
    await removeReader(config, stack, login);
    const { rowCount } = await api.db.pool.query('select from pg_roles where rolname = $1', [
      login,
    ]);
    expect(rowCount).toBe(0);
  });

  test('binds no role that may do more, and none to a workspace that is not there', async () => {
    const label = null;
    const createdAt = '2026-11-20T00:00:00.000Z';
    const names = ['postgres', 'toprung_app', 'toprung_reader'];
    const forged = names.map((login) => ({
      login,
      workspaceId: mine.workspaceId,
      label,
      createdAt,
      verifier: null,
    }));
    expect(await restoreReaders(target.url, forged)).toEqual({
      complete: [],
      withoutPassword: [],
      missing: names,
    });
    const { rows } = await target.pool.query('select login from reader_logins');
    for (const login of names) expect(rows).not.toContainEqual({ login });
    for (const login of [...names, 'nobody_of_this_name'])
      await expect(renewPassword(config, stack, login)).rejects.toThrow(CommandError);
  });

  test('gets another password by command, which is in the audit log', async () => {
    const own = await makeReader(api.db, mine.workspaceId);
    const { password } = await renewPassword(
      { ...config, DATABASE_URL: api.db.url },
      stack,
      own.login,
    );
    expect(password).not.toBe(own.password);
    expect(await readWorkspaces(api.db.url, own.login, password)).toEqual([mine.workspaceId]);
    expect(await hasPassword(own.login, password)).toBe(true);
    expect(await hasPassword(own.login, own.password)).toBe(false);
    const { rows } = await api.db.pool.query(
      "select subject from audit where action = 'reader.password_changed'",
    );
    expect(rows).toContainEqual({ subject: `reader ${own.login}` });
    await own.revoke();
  });
});
