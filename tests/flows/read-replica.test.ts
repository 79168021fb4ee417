import { get } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examineInstance } from '#boot/doctor/examine-instance.ts';
import type { Client } from '#client/http.ts';
import { readConfig } from '#config/env.ts';
import { migrate } from '#db/migrate.ts';
import { openReplicaReads } from '#db/replica/replica-reads.ts';
import { silentLogger } from '#lib/logger.ts';
import { seedHistory } from '../harness/history.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { until } from '../harness/load-recorder.ts';
import { hasPgBouncer, startPgBouncer } from '../harness/pgbouncer.ts';
import { startPostgresServer, type PostgresServer } from '../harness/postgres-server.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir, signUpAt } from '../harness/product.ts';
import { reportFigures } from '../harness/progress.ts';

keepOrder('the replica is paused, killed and promoted');

const scale = process.env.TORTURE ? { kills: 20, clients: 8 } : { kills: 1, clients: 3 };

const isPoolerPresent = hasPgBouncer();
const lastDay = '2026-11-20';
let primary: PostgresServer;
let replica: PostgresServer;
let dataDir: string;
let api: Child;
let url: string;
let client: Client;
let token: string;
let pool: pg.Pool;
let appId: number;
let keywordIds: number[];

const environment = (readUrl: string) => ({
  ...productEnvironment(dataDir, { baseUrl: 'http://127.0.0.1:9' }),
  DATABASE_URL: primary.url('toprung'),
  DATABASE_READ_URL: readUrl,
  // `/metrics` is for operators when there is a second workspace.
  OPERATOR_EMAILS: 'first@example.org',
});

beforeAll(async () => {
  dataDir = await createDataDir();
  primary = await startPostgresServer({ flags: { synchronous_commit: 'on' } });
  await primary.query('create database toprung');
  await primary.query('create database other');
  await migrate(primary.url('toprung'), silentLogger);
  replica = await primary.addReplica();
  pool = new pg.Pool({ connectionString: primary.url('toprung'), max: 4 });
  pool.on('error', () => undefined);
  api = startToprung(['start', '--role', 'api'], {
    ...environment(replica.url('toprung')),
    LOG_LEVEL: 'info',
  });
  await api.waitFor(/ API: +http\S+/);
  url = / API: +(\S+)/.exec(api.output())![1]!;
  ({ client, token } = await signUpAt(url));
  const { rows } = await pool.query<{ id: number }>('select id from workspaces');
  const plan = { workspaceId: rows[0]!.id, apps: 1, markets: 600, days: 120, lastDay };
  const history = await seedHistory(pool, plan);
  appId = history.appIds[0]!;
  keywordIds = history.keywords.map(({ id }) => id);
});
afterAll(async () => {
  await api.kill('SIGKILL');
  await pool.end();
  await replica.remove();
  await primary.remove();
  await removeDataDir(dataDir);
});

async function read(path: string): Promise<string> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

const matrix = () => `/apps/${appId}/rankings/matrix?from=2026-11-01&to=${lastDay}`;
const exported = (kind: string) => `/apps/${appId}/exports/${kind}?format=ndjson`;

async function countReads(): Promise<{ primary: number; replica: number }> {
  const text = await read('/metrics');
  const valueOf = (server: string) =>
    Number(new RegExp(`toprung_heavy_reads\\{server="${server}"\\} (\\d+)`).exec(text)![1]);
  return { primary: valueOf('primary'), replica: valueOf('replica') };
}

async function readAtPrimary(path = matrix()): Promise<string> {
  const before = await countReads();
  const text = await read(path);
  expect(await countReads()).toEqual({ ...before, primary: before.primary + 1 });
  return text;
}

/** On a busy machine the replica is late for some reads. */
async function readAtReplica(path = matrix(), readOnce = read): Promise<string> {
  let text = '';
  const isServed = async () => {
    const before = await countReads();
    text = await readOnce(path);
    return (await countReads()).replica > before.replica;
  };
  await until(isServed, 60_000, 'a read at the replica');
  return text;
}

/** The replica counts the scans of each table; these are of the table of keywords. */
async function countScans(): Promise<number> {
  const direct = new pg.Client({ connectionString: replica.url('toprung') });
  await direct.connect();
  const { rows } = await direct.query<{ scans: number }>(
    `select (seq_scan + idx_scan)::int as scans from pg_stat_user_tables
     where relname = 'keywords'`,
  );
  await direct.end();
  return rows[0]!.scans;
}

let written = 0;
/** Writes to one keyword, and expects the export that begins then to have it. */
async function writeAndRead(keywordId: number): Promise<void> {
  const note = `note ${(written += 1)}`;
  await client('PATCH /keywords/{keywordId}', { params: { keywordId }, body: { note } });
  const text = await read(exported('keywords'));
  const lines = text.trim().split('\n');
  const keyword = lines.map((line) => JSON.parse(line)).find(({ id }) => id === keywordId);
  expect(keyword.note).toBe(note);
}

test('heavy reads and exports of every workspace are done at the replica', async () => {
  await readAtReplica();
  const before = await countScans();
  await readAtReplica();
  await readAtReplica('/digests/weekly');
  await readAtReplica(exported('keywords'));
  // The server's own statistics, which a backend writes when it is idle.
  await until(async () => (await countScans()) > before, 30_000, 'scans at the replica');
});

test('an export from the replica has the same bytes as one from the primary', async () => {
  const fromReplica = await readAtReplica(exported('rankings'));
  await replica.query('select pg_wal_replay_pause()');
  await client('PATCH /keywords/{keywordId}', {
    params: { keywordId: keywordIds[0]! },
    body: { favorite: true },
  });
  expect(await readAtPrimary(exported('rankings'))).toBe(fromReplica);
  await replica.query('select pg_wal_replay_resume()');
  await readAtReplica();
});

test('a read has everything that its workspace has written before', async () => {
  const before = await countReads();
  for (let round = 0; round < 20; round += 1) await writeAndRead(keywordIds[round]!);
  // On a busy machine the replica may be late for some of them.
  expect((await countReads()).replica).toBeGreaterThan(before.replica);
});

test('the replica shows a connection of the API the rows of its workspace alone', async () => {
  const others = await pool.query<{ id: number }>(
    `insert into workspaces (name) values ('other') returning id`,
  );
  await seedHistory(pool, {
    workspaceId: others.rows[0]!.id,
    apps: 1,
    markets: 1,
    days: 1,
    lastDay,
  });
  const { rows } = await pool.query<{ id: number }>('select id from apps where workspace_id = $1', [
    others.rows[0]!.id,
  ]);
  const foreign = `/apps/${rows[0]!.id}/exports/keywords?format=csv`;
  const readStatus = async (path: string) =>
    String(
      (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status,
    );
  expect(await readAtReplica(foreign, readStatus)).toBe('404');
  const direct = new pg.Client({ connectionString: replica.url('toprung') });
  await direct.connect();
  await direct.query('set role toprung_app');
  expect((await direct.query('select from keywords')).rowCount).toBe(0);
  await direct.end();
});

test('a replica that is behind is left out until it has caught up', async () => {
  await replica.query('select pg_wal_replay_pause()');
  for (let round = 0; round < 3; round += 1) await writeAndRead(keywordIds[round]!);
  await readAtPrimary();
  const readFault = async () => (await client('GET /health')).replica!.fault;
  await until(async () => (await readFault()) === 'behind', 60_000, 'the state of the replica');
  expect(await read('/metrics')).toMatch(/toprung_replica_usable 0/);
  expect(api.output()).toContain('is behind the primary');
  const [finding] = (await examine(replica.url('toprung'))).filter(
    ({ check }) => check === 'replica',
  );
  expect(finding).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/behind the primary.*missing/),
  });
  await replica.query('select pg_wal_replay_resume()');
  await readAtReplica();
  await api.waitFor('the replica at DATABASE_READ_URL is used again');
  await until(async () => (await readFault()) === null, 60_000, 'a good state of the replica');
});

test('an export goes on at the primary when the replica dies in the middle', async () => {
  await readAtReplica();
  const whole = await read(exported('rankings'));
  const { started, readOn } = await openSlowly(exported('rankings'));
  await replica.kill();
  expect(started + (await readOn())).toBe(whole);
  // It was not yet complete when the replica died.
  await api.waitFor('The replica at DATABASE_READ_URL does not respond');
  await replica.start();
  await readAtReplica();
});

test(`${scale.kills} kills of the replica fail no read and show no old state`, async () => {
  let isOver = false;
  let reads = 0;
  const clients = Array.from({ length: scale.clients }, async (_, index) => {
    while (!isOver) {
      await writeAndRead(keywordIds[100 + index]!);
      reads += 1;
    }
  });
  const before = await countReads();
  try {
    for (let kill = 0; kill < scale.kills; kill += 1) {
      const soFar = () => reads;
      const more = async (count: number) => {
        const goal = soFar() + count;
        await until(() => soFar() >= goal, 60_000, 'reads');
      };
      await more(5);
      await replica.kill();
      await more(5);
      await replica.start();
      await more(5);
      await replica.query('select pg_wal_replay_pause()');
      await more(5);
      await replica.query('select pg_wal_replay_resume()');
      await readAtReplica();
    }
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
  const after = await countReads();
  reportFigures(30, {
    'kills of a replica': scale.kills,
    'pauses of its replay': scale.kills,
    'reads after a write': reads,
    'at the replica': after.replica - before.replica,
    'at the primary': after.primary - before.primary,
    'older or failed': 0,
  });
}, 600_000);

const examine = (readUrl: string) => examineInstance(() => readConfig(environment(readUrl)));

describe('a wrong DATABASE_READ_URL', () => {
  test.each([
    [
      'the primary',
      () => primary.url('toprung').replace('127.0.0.1', 'localhost'),
      'not a replica',
    ],
    ['another database', () => replica.url('other'), 'another database'],
    ['another server', () => replica.url('postgres'), 'another database'],
  ])('that is %s is reported, and reads use the primary', async (_, readUrl, words) => {
    const finding = (await examine(readUrl())).find(({ check }) => check === 'replica');
    expect(finding).toMatchObject({ state: 'error' });
    expect(finding!.message).toContain(words);
    expect(finding!.remedy).toContain('streaming replica');
  });

  test('that was exchanged with DATABASE_URL leaves the doctor its other findings', async () => {
    const settings = {
      ...environment(primary.url('toprung')),
      DATABASE_URL: replica.url('toprung'),
    };
    const findings = await examineInstance(() => readConfig(settings), { egress: [] });
    const of = (name: string) => findings.filter(({ check }) => check === name);
    expect(of('database')).toMatchObject([
      { state: 'error', message: expect.stringContaining('standby') },
    ]);
    expect(of('replica')).toMatchObject([
      { state: 'skipped', message: expect.stringContaining('recovery is in progress') },
    ]);
  });

  test('is refused when it needs no server to see that', () => {
    expect(() => readConfig({ DATABASE_READ_URL: 'postgres://a/b' })).toThrow(
      'DATABASE_READ_URL needs DATABASE_URL',
    );
    const same = { DATABASE_URL: 'postgres://a/b', DATABASE_READ_URL: 'postgres://a/b' };
    expect(() => readConfig(same)).toThrow('must be the address of a replica');
    expect(() => readConfig({ ...same, DATABASE_READ_URL: 'mysql://a/b' })).toThrow(
      'DATABASE_READ_URL must be an address starting with postgres://',
    );
  });

  test.runIf(isPoolerPresent)('behind a pooler that shares sessions, it is not read', async () => {
    const pooler = await startPgBouncer(replica.url('toprung'), 'transaction');
    try {
      const finding = (await examine(pooler.url)).find(({ check }) => check === 'replica');
      expect(finding).toMatchObject({
        state: 'error',
        remedy: expect.stringContaining('pool_mode = session'),
      });
      const reads = openReplicaReads({ url: pooler.url, primary: pool, max: 2, log: silentLogger });
      const read = await reads.acquire();
      expect(read.isReplica).toBe(false);
      await reads.close();
    } finally {
      await pooler.stop();
    }
  });

  test('does not stop a start', async () => {
    const child = startToprung(
      ['start', '--role', 'api'],
      environment(primary.url('toprung').replace('127.0.0.1', 'localhost')),
    );
    try {
      await child.waitFor(/ API: +http\S+/);
      expect(child.output()).toContain('is not a replica: it accepts writes');
    } finally {
      await child.kill('SIGKILL');
    }
  });
});

test('a replica that was promoted is not read any more', async () => {
  await readAtReplica();
  await replica.query('select pg_promote(true, 60)');
  await writeAndRead(keywordIds[0]!);
  await readAtPrimary();
  await api.waitFor('is not a replica: it accepts writes');
});

/** The beginning of a response, whose other bytes are read when `readOn` is called. */
function openSlowly(path: string): Promise<{ started: string; readOn(): Promise<string> }> {
  return new Promise((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${token}` }, agent: false } as const;
    const sent = get(`${url}${path}`, options, (response) => {
      response.setEncoding('utf8');
      response.once('readable', () => {
        const started = response.read() as string;
        resolve({
          started,
          readOn: async () => {
            let text = '';
            for await (const chunk of response) text += chunk as string;
            return text;
          },
        });
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
  });
}
