import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { link } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeKeys } from '#boot/backups/instance-keys.ts';
import { readStoredSecret } from '#boot/secrets.ts';
import { SetupError } from '#lib/setup-error.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'toprung-secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** As on exFAT, and on some network file systems. */
const refuseLink: typeof link = () =>
  Promise.reject(Object.assign(new Error('operation not permitted'), { code: 'EPERM' }));

test.each([
  ['with', link],
  ['without', refuseLink],
])('a secret is created once in a file system %s hard links', async (_name, linkFile) => {
  const path = join(dataDir, 'secrets-key');
  const secret = await readStoredSecret(dataDir, 'secrets-key', linkFile);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([secret, 0o600]);
  expect(readdirSync(dataDir)).toEqual(['secrets-key']);
  expect(await readStoredSecret(dataDir, 'secrets-key', linkFile)).toBe(secret);
});

test('of several starts without hard links one creates the secret, all read it', async () => {
  const starts = Array.from({ length: 20 }, () => readStoredSecret(dataDir, 'key', refuseLink));
  const secrets = new Set(await Promise.all(starts));
  expect([...secrets]).toEqual([readFileSync(join(dataDir, 'key'), 'utf8')]);
});

test('an empty file is no secret', async () => {
  writeFileSync(join(dataDir, 'auth-secret'), '');
  await expect(readStoredSecret(dataDir, 'auth-secret')).rejects.toThrow(SetupError);
});

test('each restore keeps the keys that were there under a name of their own', async () => {
  const config = { DATA_DIR: dataDir, AUTH_SECRET: null, ENCRYPTION_KEY: null };
  const restore = (key: string) => writeKeys(config, { 'secrets-key': key });
  for (const key of ['first', 'second', 'second', 'third', 'fourth']) await restore(key);
  const read = (name: string) => readFileSync(join(dataDir, name), 'utf8');
  expect(
    readdirSync(dataDir)
      .toSorted()
      .map((name) => [name, read(name)]),
  ).toEqual([
    ['secrets-key', 'fourth'],
    ['secrets-key.before-restore', 'first'],
    ['secrets-key.before-restore-2', 'second'],
    ['secrets-key.before-restore-3', 'third'],
  ]);
});
