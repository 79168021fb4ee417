import { once } from 'node:events';
import type { PgPoolClient } from 'bullmq';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareListener } from '#queue/shared-listener.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const name = 'shared-listener';
const open = async () => {
  const client = new pg.Client({ connectionString: db.url, application_name: name });
  await client.connect();
  return client;
};
const countSessions = async () => {
  const { rowCount } = await db.pool.query(
    'select from pg_stat_activity where datname = current_database() and application_name = $1',
    [name],
  );
  return rowCount;
};
/** The next notification of a listener. */
const hear = async (listener: PgPoolClient) => {
  const [message] = await once(listener as never, 'notification');
  return (message as pg.Notification).payload;
};
const notify = (payload: string) => db.pool.query('select pg_notify($1, $2)', ['work', payload]);

test('listeners share one session, which ends with the last of them', async () => {
  const connect = shareListener(open);
  const [first, second] = await Promise.all([connect(), connect()]);
  await first.query('listen work');
  await second.query('listen work');
  expect(await countSessions()).toBe(1);
  const heard = [hear(first), hear(second)];
  await notify('both');
  expect(await Promise.all(heard)).toEqual(['both', 'both']);

  first.release();
  first.release();
  const alone = hear(second);
  await notify('one');
  expect(await alone).toBe('one');
  second.release();
  await expect.poll(countSessions).toBe(0);
});

test('each listener receives the error of a lost session; the next has a new session', async () => {
  const connect = shareListener(open);
  const [first, second, closed] = await Promise.all([connect(), connect(), connect()]);
  // As BullMQ does when it closes a connection: without a listener an error would be thrown.
  closed.removeAllListeners();
  const errors = [once(first as never, 'error'), once(second as never, 'error')];
  await db.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = ' +
      'current_database() and application_name = $1',
    [name],
  );
  await Promise.all(errors);
  const next = await connect();
  await next.query('listen work');
  // Late releases of the lost session leave the new one alone.
  for (const listener of [first, second, closed]) listener.release(true);
  const heard = hear(next);
  await notify('again');
  expect(await heard).toBe('again');
  next.release();
  await expect.poll(countSessions).toBe(0);
});

test('a server that cannot be reached is tried again with the next connection', async () => {
  let isUp = false;
  const connect = shareListener(() => (isUp ? open() : Promise.reject(new Error('refused'))));
  await expect(Promise.all([connect(), connect()])).rejects.toThrow('refused');
  isUp = true;
  const listener = await connect();
  expect((await listener.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  listener.release();
  await expect.poll(countSessions).toBe(0);
});

test('a session that is released while another listener connects stays open', async () => {
  const connect = shareListener(open);
  const first = await connect();
  const second = connect();
  first.release();
  const listener = await second;
  expect((await listener.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  listener.release();
  await expect.poll(countSessions).toBe(0);
});
