import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findDueDelivery, takeDueDeliveries } from '#db/queries/webhooks/due-deliveries.ts';
import { openDatabase, type Db } from '#db/database.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
let db: Db;
const now = new Date('2026-11-21T12:00:00Z');
const until = new Date('2026-11-21T12:01:00Z');

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.pool);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('truncate workspaces cascade'));

/** A workspace with webhooks, each with pending deliveries that are due since minutes ago. */
async function addWebhooks(of: {
  count: number;
  pending: number;
  hasSucceeded: boolean;
  minutesAgo: number;
}): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `with workspace as (insert into workspaces (name) values ('w') returning id),
     webhook as (
       insert into webhooks (workspace_id, url, kind, events, secret, secret_strength, created_at,
         has_succeeded)
       select workspace.id, 'https://example.com/' || n, 'standard', '{}', '', 'strong', $4, $3
       from workspace, generate_series(1, $1::int) n returning id, workspace_id
     ), delivery as (
       insert into deliveries (workspace_id, webhook_id, message_id, type, next_at, created_at)
       select workspace_id, id, id || '-' || n, 'test', $4, $4
       from webhook, generate_series(1, $2::int) n
     )
     select id from workspace`,
    [of.count, of.pending, of.hasSucceeded, new Date(now.getTime() - of.minutesAgo * 60_000)],
  );
  return rows[0]!.id;
}

const take = (limit = 100) => takeDueDeliveries(db, { now, until, limit });
async function countByWorkspace(): Promise<Map<number, number>> {
  const { rows } = await database.pool.query<{ id: number; count: number }>(
    `select workspace_id as id, count(*)::int as count from deliveries
     where queued_until is not null group by 1`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

test('a receiver that responds comes before any number of others that may hang', async () => {
  for (let workspace = 0; workspace < 20; workspace++)
    await addWebhooks({ count: 10, pending: 50, hasSucceeded: false, minutesAgo: 60 });
  await take();
  await take();
  const healthy = await addWebhooks({ count: 1, pending: 1, hasSucceeded: true, minutesAgo: 0 });
  await take();
  const taken = await countByWorkspace();
  expect(taken.get(healthy)).toBe(1);
  taken.delete(healthy);
  const counts = [...taken.values()];
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(48);
  expect([counts.length, Math.max(...counts) - Math.min(...counts)]).toEqual([20, 1]);
});

test('one workspace has few deliveries to such receivers in progress', async () => {
  const alone = await addWebhooks({ count: 30, pending: 9, hasSucceeded: false, minutesAgo: 60 });
  await take();
  await take();
  expect((await countByWorkspace()).get(alone)).toBe(8);
});

test('receivers that respond have two deliveries in progress each', async () => {
  const busy = await addWebhooks({ count: 5, pending: 9, hasSucceeded: true, minutesAgo: 60 });
  await take();
  await take();
  expect((await countByWorkspace()).get(busy)).toBe(10);
});

test('a delivery that waits longer than any retry does is due, like those before', async () => {
  await addWebhooks({ count: 1, pending: 2, hasSucceeded: true, minutesAgo: 60 });
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from deliveries order by id',
  );
  const [ahead, due] = rows.map(({ id }) => Number(id)) as [number, number];
  const planFor = (instant: string) =>
    database.pool.query('update deliveries set next_at = $1, queued_until = null where id = $2', [
      new Date(instant),
      ahead,
    ]);
  const takenIds = async () => (await take()).map(({ id }) => id);
  await planFor('2026-11-22T16:59:00Z');
  expect([await takenIds(), await findDueDelivery(db, ahead, now)]).toEqual([[due], undefined]);
  // A clock that was two days ahead.
  await planFor('2026-11-23T12:00:00Z');
  expect(await takenIds()).toEqual([ahead]);
  expect(await findDueDelivery(db, ahead, now)).toMatchObject({ id: ahead });
});
