import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkSealKey } from '../../src/boot/check-seal-key.ts';
import { sealKeyReader } from '../../src/boot/secret.ts';
import { sealSecret } from '../../src/domain/webhooks/secrets.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** What a start says, at which level. */
async function startWith(secretsKey: string | null): Promise<[string, string][]> {
  const said: [string, string][] = [];
  const log = {
    ...silentLogger,
    warn: (_: object, text: string) => said.push(['warn', text]),
    error: (_: object, text: string) => said.push(['error', text]),
  };
  const config = { DATABASE_URL: db.url, DATA_DIR: '/dev/null/nowhere', SECRETS_KEY: secretsKey };
  await checkSealKey(config, {
    systemDb: db.systemDb,
    sealKey: sealKeyReader(config),
    log: log as unknown as typeof silentLogger,
  });
  return said;
}

test('a start says when webhook secrets were sealed with another key, and where the key is a host’s own', async () => {
  const key = 'the key that sealed the secrets of this instance';
  expect(await startWith(null)).toEqual([
    ['warn', expect.stringContaining('SECRETS_KEY is not set')],
  ]);
  const { rows } = await db.pool.query("insert into workspaces (name) values ('one') returning id");
  const secret = sealSecret(
    await sealKeyReader({ SECRETS_KEY: key, DATA_DIR: '' })(),
    rows[0].id,
    Buffer.alloc(32, 1),
  );
  await db.pool.query(
    "insert into webhooks (workspace_id, url, kind, events, enabled, secret, secret_strength, created_at) values ($1, 'https://a.example', 'standard', '{}', true, $2, 'strong', now())",
    [rows[0].id, secret],
  );
  expect(await startWith(key)).toEqual([]);
  expect(await startWith(key.toUpperCase())).toEqual([
    ['error', expect.stringContaining('sealed with another key')],
  ]);
  expect(await startWith(null)).toContainEqual([
    'error',
    expect.stringContaining('sealed with another key'),
  ]);
});
