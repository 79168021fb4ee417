import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  inWorkspace,
  openDatabase,
  openReadDatabase,
  readAhead,
  readTogether,
  type Tx,
} from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { silentLogger } from '#lib/logger.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { pauseProcess } from '../harness/pause-process.ts';

let db: TestDatabase;
let ann: number;
let bob: number;

beforeAll(async () => {
  db = await createTestDatabase();
  const { rows } = await db.pool.query<{ id: number }>(
    "insert into workspaces (name) values ('ann'), ('bob') returning id",
  );
  [ann, bob] = rows.map(({ id }) => id) as [number, number];
});
afterAll(() => db.drop());

const open = (options: { max: number; statementTimeoutMs?: number; isReading?: boolean }) =>
  openPool({ url: db.url, role: 'app', statementTimeoutMs: 10_000, log: silentLogger, ...options });
const currentDatabaseUser = async (tx: Tx) =>
  (
    await sql<{
      id: number;
      pid: number;
    }>`select id, pg_backend_pid() as pid from workspaces`.execute(tx)
  ).rows;
const rename = (tx: Tx, name: string) => sql`update workspaces set name = ${name}`.execute(tx);
const nameOf = async (id: number) =>
  (await db.pool.query<{ name: string }>('select name from workspaces where id = $1', [id]))
    .rows[0]!.name;

/** The statements that a client gets, and the results that `read` returns, in their order. */
const recordOrder = async (pool: pg.Pool) => {
  const order: string[] = [];
  const client = await pool.connect();
  client.release();
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  vi.spyOn(client, 'query').mockImplementation((...given: unknown[]) => {
    order.push('sent');
    return query(...given);
  });
  const read = async (tx: Tx) => {
    const rows = await currentDatabaseUser(tx);
    order.push('result');
    return rows[0]!.id;
  };
  return { order, read };
};

describe('reads that need nothing of each other', () => {
  test('are sent before the first result, bound to their workspace', async () => {
    const pool = open({ max: 1, isReading: true });
    const { order, read } = await recordOrder(pool);
    await inWorkspace(openReadDatabase(pool), ann, async (tx) => {
      await read(tx);
      order.length = 0;
      const results = await readTogether(
        tx,
        () => read(tx),
        () => read(tx),
        () => read(tx),
      );
      expect(results).toEqual([ann, ann, ann]);
    });
    expect(order).toEqual(['sent', 'sent', 'sent', 'result', 'result', 'result']);
    await pool.end();
  });

  test('run one after another in a transaction', async () => {
    const pool = open({ max: 1 });
    const { order, read } = await recordOrder(pool);
    await inWorkspace(openDatabase(pool), ann, async (tx) => {
      await read(tx);
      order.length = 0;
      await readTogether(
        tx,
        () => read(tx),
        () => read(tx),
      );
      expect(order).toEqual(['sent', 'result', 'sent', 'result']);
    });
    await pool.end();
  });

  test('of parts begin while the caller works on the part before, and end with it', async () => {
    const order: string[] = [];
    // A part is read until the caller works on the part before, however slow the machine is.
    let isWorkedOn = [1, 2, 3].map(() => Promise.withResolvers<void>());
    const read = async (part: number) => {
      order.push(`begin ${part}`);
      await isWorkedOn[part - 2]?.promise;
      order.push(`end ${part}`);
      if (part === 3) throw new Error('part 3');
      return part * 10;
    };
    const results: number[] = [];
    const work = async () => {
      for await (const { part, result } of readAhead([1, 2, 3, 4], read)) {
        order.push(`work ${part}`);
        isWorkedOn[part - 1]?.resolve();
        results.push(result);
      }
    };
    await expect(work()).rejects.toThrow('part 3');
    expect(results).toEqual([10, 20]);
    expect(order.slice(0, 4)).toEqual(['begin 1', 'end 1', 'begin 2', 'work 1']);
    expect(order.at(-1)).toBe('end 3');
    order.length = 0;
    isWorkedOn = [Promise.withResolvers()];
    for await (const { part } of readAhead([1, 2], read)) {
      isWorkedOn[part - 1]?.resolve();
      if (part === 1) break;
    }
    expect(order).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
    for await (const none of readAhead([], read)) expect(none).toBeUndefined();
  });

  test('of parts reach the server before the caller works on the part before', async () => {
    await inWorkspace(db.readDb, ann, async (tx) => {
      const readClock = async () =>
        (await sql<{ at: Date }>`select clock_timestamp() as at`.execute(tx)).rows[0]!.at;
      const readAt = new Map<number, number>();
      const workedUntil = new Map<number, number>();
      for await (const { part, result } of readAhead([1, 2], readClock)) {
        readAt.set(part, result.getTime());
        // The event loop is blocked, and leaves the processor to the server.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
        workedUntil.set(part, Date.now());
      }
      expect(readAt.get(2)).toBeLessThan(workedUntil.get(1)!);
    });
  });

  test('have all ended when one of them fails', async () => {
    let isOver = false;
    await inWorkspace(db.readDb, ann, async (tx) => {
      const slow = async () => {
        await sql`select pg_sleep(0.1)`.execute(tx);
        isOver = true;
      };
      const reads = readTogether(tx, () => sql`select 1 / 0`.execute(tx), slow);
      await expect(reads).rejects.toThrow('division by zero');
      expect(isOver).toBe(true);
      expect(await currentDatabaseUser(tx)).toMatchObject([{ id: ann }]);
    });
  });
});

describe('a shared read connection', () => {
  test('refuses writes, and reads without a workspace', async () => {
    await expect(inWorkspace(db.readDb, ann, (tx) => rename(tx, 'x'))).rejects.toThrow('read-only');
    await expect(sql`select * from apps`.execute(db.readDb)).rejects.toThrow(
      'no workspace is bound',
    );
  });

  test('is bound to its workspace again after it breaks between two of them', async () => {
    const pool = open({ max: 1, isReading: true });
    const reading = openReadDatabase(pool);
    const look = (workspaceId: number) => inWorkspace(reading, workspaceId, currentDatabaseUser);
    const [first] = await look(ann);
    await db.pool.query('select pg_terminate_backend($1)', [first!.pid]);
    // A request during the outage gets the documented error.
    await expect
      .poll(() =>
        look(bob).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    for (const id of [bob, ann, ann, bob]) expect(await look(id)).toMatchObject([{ id }]);
    await pool.end();
  });

  test('returns nothing and is bound again when binding it failed', async () => {
    const pool = open({ max: 1, isReading: true });
    const reading = openReadDatabase(pool);
    expect(await inWorkspace(reading, ann, currentDatabaseUser)).toMatchObject([{ id: ann }]);
    const client = await pool.connect();
    client.release();
    const query = client.query.bind(client) as (given: unknown) => unknown;
    // The binding fails in the server, and queries sent after it would run in the previous
    // workspace.
    const failing = vi
      .spyOn(client, 'query')
      .mockImplementationOnce(((given: pg.Query) =>
        query(Object.assign(given, { text: 'select 1 / (0 * length($1))', name: '' }))) as never);
    const together = await Promise.allSettled(
      Array.from({ length: 3 }, () => inWorkspace(reading, bob, currentDatabaseUser)),
    );
    expect(failing).toHaveBeenCalled();
    for (const outcome of together)
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining('division by zero') },
      });
    for (const id of [bob, ann])
      expect(await inWorkspace(reading, id, currentDatabaseUser)).toMatchObject([{ id }]);
    await pool.end();
  });

  test('is left by all requests that share it when it breaks', async () => {
    const pool = open({ max: 2, isReading: true });
    const reading = openReadDatabase(pool);
    let isOver = false;
    let lastPids: number[] = [];
    const reader = async (_: unknown, index: number) => {
      while (!isOver) {
        const response = await inWorkspace(reading, ann, currentDatabaseUser).catch(() => null);
        if (response) lastPids[index] = response[0]!.pid;
      }
    };
    const readers = Array.from({ length: 16 }, reader);
    await expect.poll(() => Object.keys(lastPids).length).toBe(16);
    const broken = new Set(lastPids);
    expect(broken.size).toBe(2);
    await db.pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
      [...broken],
    ]);
    lastPids = [];
    // None of them ever stops, so neither connection is ever without a reader.
    await expect
      .poll(() => Object.values(lastPids).filter((pid) => !broken.has(pid)).length)
      .toBe(16);
    isOver = true;
    await Promise.all(readers);
    await pool.end();
  });

  test('answers all of several slow requests beyond one statement’s timeout', async () => {
    const pool = open({ max: 1, statementTimeoutMs: 3_000, isReading: true });
    const reading = openReadDatabase(pool);
    const slow = () =>
      inWorkspace(reading, ann, (tx) =>
        sql<{ id: number }>`select id, pg_sleep(1) from workspaces`.execute(tx),
      );
    const responses = await Promise.all(Array.from({ length: 5 }, slow));
    expect(responses.map(({ rows }) => rows[0]!.id)).toEqual(Array(5).fill(ann));
    await pool.end();
  });

  test('is closed and replaced when the server stops responding', async () => {
    const pool = open({ max: 1, statementTimeoutMs: 2_000, isReading: true });
    const reading = openReadDatabase(pool);
    const [{ pid } = { pid: 0 }] = await inWorkspace(reading, ann, currentDatabaseUser);
    const thaw = pauseProcess(pid);
    try {
      await expect(inWorkspace(reading, ann, currentDatabaseUser)).rejects.toThrow(/terminated/);
      expect(await inWorkspace(reading, bob, currentDatabaseUser)).toMatchObject([{ id: bob }]);
    } finally {
      thaw();
    }
    await pool.end();
  });
});

describe('a write connection', () => {
  test('is not used again after its transaction was abandoned', async () => {
    const pool = open({ max: 1, statementTimeoutMs: 2_000 });
    const writing = openDatabase(pool);
    let thaw = () => {};
    const lost = inWorkspace(writing, ann, async (tx) => {
      const [{ pid } = { pid: 0 }] = await currentDatabaseUser(tx);
      await rename(tx, 'half done');
      thaw = pauseProcess(pid);
      await rename(tx, 'never known');
    });
    await expect(lost).rejects.toThrow('Query read timeout');
    thaw();
    await inWorkspace(writing, bob, (tx) => rename(tx, 'done'));
    expect(await nameOf(bob)).toBe('done');
    // If the next one were in that transaction, its commit would apply to both.
    expect(await nameOf(ann)).toBe('ann');
    await pool.end();
  });
});
