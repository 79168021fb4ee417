import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkEncryptionKey } from '#boot/check-encryption-key.ts';
import { encryptionKeyReader } from '#boot/secrets.ts';
import { encryptSecret } from '#domain/alerting/webhooks/secrets.ts';
import { silentLogger } from '#lib/logger.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** Log messages of a start with their levels. */
async function startWith(secretsKey: string | null): Promise<[string, string][]> {
  const said: [string, string][] = [];
  const log = {
    ...silentLogger,
    warn: (_: object, text: string) => said.push(['warn', text]),
    error: (_: object, text: string) => said.push(['error', text]),
  };
  const config = {
    DATABASE_URL: db.url,
    DATA_DIR: '/dev/null/nowhere',
    ENCRYPTION_KEY: secretsKey,
  };
  await checkEncryptionKey(config, {
    systemDb: db.systemDb,
    encryptionKey: encryptionKeyReader(config),
    log: log as unknown as typeof silentLogger,
  });
  return said;
}

test('the start warns of a missing key, and of secrets of another key as documented', async () => {
  const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const documented = /^\| `(.+ with another key)` in the log \|/m.exec(page)![1]!;
  const key = 'the key that encrypted the secrets of this instance';
  expect(await startWith(null)).toEqual([
    ['warn', expect.stringContaining('ENCRYPTION_KEY is not set')],
  ]);
  const { rows } = await db.pool.query("insert into workspaces (name) values ('one') returning id");
  const secret = encryptSecret(
    await encryptionKeyReader({ ENCRYPTION_KEY: key, DATA_DIR: '' })(),
    rows[0].id,
    Buffer.alloc(32, 1),
  );
  await db.pool.query(
    'insert into webhooks (workspace_id, url, kind, events, enabled, secret, ' +
      "secret_strength, created_at) values ($1, 'https://a.example', 'standard', '{}', true, " +
      "$2, 'strong', now())",
    [rows[0].id, secret],
  );
  expect(await startWith(key)).toEqual([]);
  expect(await startWith(key.toUpperCase())).toEqual([
    ['error', expect.stringContaining(documented)],
  ]);
  expect(await startWith(null)).toContainEqual([
    'error',
    expect.stringContaining('encrypted with another key'),
  ]);
});
