import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runBackgroundJob } from '#domain/scheduling/background-jobs/run-background-job.ts';
import { ListingCache } from '#domain/tracking/listings/listing-cache.ts';
import { deleteExpired, openWorkspaceExport } from '#domain/transfer/exports/workspace-exports.ts';
import { exportedTables, omittedTables } from '#domain/transfer/exports/exported-tables.ts';
import { writeWorkspaceExport } from '#domain/transfer/exports/write-workspace.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { seedHistory, type History } from '../harness/history.ts';
import { jobKinds } from '../harness/background-work.ts';
import { readAt, trackSince } from './changes.fixtures.ts';
import { runAcceptedJobs } from './exports.fixtures.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';
import { insertReviews } from './reviews.fixtures.ts';

let api: TestApi;
let ann: Account;
let history: History;

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  history = await seedHistory(api.db.pool, {
    workspaceId: ann.workspaceId,
    apps: 2,
    markets: 8,
    days: 20,
    lastDay: '2026-11-21',
    gapShare: 0.2,
    serpDays: 1,
  });
  const { rows } = await api.db.pool.query('select a.listing_id from apps a where id = $1', [
    history.appIds[0]!,
  ]);
  await insertReviews(api, { id: history.appIds[0]!, listingId: rows[0].listing_id }, [
    { body: 'a review' },
  ]);
  await api.ok(
    'POST /apps/{id}/annotations',
    { params: { id: history.appIds[0]! }, body: { date: '2026-11-20', text: 'a note' } },
    ann,
  );
  const hook = {
    url: 'https://hooks.example.org/x',
    events: ['rank.dropped' as const],
    secret: 'marker-webhook-secret',
  };
  await api.db.pool.query(
    'insert into webhooks (workspace_id, url, kind, events, secret, secret_strength, ' +
      "created_at) values ($1, $2, 'standard', $3, $4, 'weak', now())",
    [ann.workspaceId, hook.url, hook.events, Buffer.from(hook.secret)],
  );
});
afterAll(() => api.close());

interface Line {
  manifest?: { format: string; workspace: { id: number }; tables: string[] };
  table?: string;
  row?: Record<string, unknown>;
  end?: { lines: number; sha256: string };
}

async function exportAll(
  who: Credential = ann,
): Promise<{ id: number; text: string; lines: Line[] }> {
  const { poll, job } = await api.ok('POST /workspace/exports', { body: {} }, who);
  expect(job.kind).toBe('export');
  await runAcceptedJobs(api);
  const done = await api.ok(
    'GET /workspace/exports/{exportId}',
    { params: { exportId: Number(poll.split('/').at(-1)) } },
    who,
  );
  expect(done).toMatchObject({ state: 'succeeded', format: 'ndjson', download: `${poll}/file` });
  const file = await api.raw(done.download!, {}, who);
  expect([file.status, file.headers.get('content-type')]).toEqual([
    200,
    'application/x-ndjson; charset=utf-8',
  ]);
  expect(Buffer.byteLength(file.text)).toBe(done.bytes);
  const lines = file.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  expect(lines).toHaveLength(done.rows! + 1);
  return { id: done.id, text: file.text, lines };
}

describe('an exported file', () => {
  test('begins with its format and ends with the count and hash of its lines', async () => {
    const { text, lines } = await exportAll();
    expect(lines[0]!.manifest).toMatchObject({
      format: 'toprung-workspace',
      version: 1,
      workspace: { id: ann.workspaceId },
    });
    const body = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
    expect(lines.at(-1)).toEqual({
      end: { lines: lines.length - 1, sha256: createHash('sha256').update(body).digest('hex') },
    });
  });

  test('contains every row of the workspace and every daily rank that it may see', async () => {
    const { lines } = await exportAll();
    const rowsOf = (table: string) =>
      lines.filter((line) => line.table === table).map((line) => line.row!);
    for (const { name } of exportedTables) {
      const { rows } = await api.db.pool.query(
        `select count(*)::int as count from "${name}" where workspace_id = $1`,
        [ann.workspaceId],
      );
      expect([name, rowsOf(name).length]).toEqual([name, rows[0].count]);
    }
    const truths = history.keywords.flatMap((keyword) =>
      history.days.flatMap((day) => {
        const truth = history.groundTruthOf(keyword, day);
        return truth ? [[keyword.id, day, truth.position, truth.depth].join(' ')] : [];
      }),
    );
    const cells = rowsOf('rankings').map((row) =>
      [row['keywordId'], row['date'], row['position'], row['depth']].join(' '),
    );
    expect(cells.toSorted()).toEqual(truths.toSorted());
    expect(rowsOf('reviews')).toEqual([
      expect.objectContaining({ body: 'a review', appId: history.appIds[0]! }),
    ]);
    expect(rowsOf('serp').length).toBeGreaterThan(0);
    expect(rowsOf('apps')[0]).toMatchObject({ listing: { store: 'ios' } });
  });

  test('contains no secret and nothing of another workspace', async () => {
    const bob = await api.signUp();
    await seedHistory(api.db.pool, {
      workspaceId: bob.workspaceId,
      apps: 1,
      markets: 2,
      days: 3,
      lastDay: '2026-11-21',
    });
    await api.db.pool.query("update apps set note = 'marker-bob' where workspace_id = $1", [
      bob.workspaceId,
    ]);
    const { text } = await exportAll();
    expect(text).not.toContain('marker-bob');
    for (const secret of [
      'marker-webhook-secret',
      Buffer.from('marker-webhook-secret').toString('hex'),
      'secret_hash',
      'password',
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test('contains a snapshot once that is current for more than 400 days', async () => {
    const who = await api.signUp();
    const app = await insertApp(api, who, { storeAppId: '7001' });
    await trackSince(api, app.id, '2025-09-01T09:00:00Z');
    await readAt(api, '7001', '2025-09-01T09:00:05Z');
    await readAt(api, '7001', '2025-09-03T02:00:00Z', { version: '1.1' });
    const { lines } = await exportAll(who);
    const taken = lines.flatMap(({ table, row }) =>
      table === 'snapshots' ? String(row!['takenAt']) : [],
    );
    expect(taken).toEqual(['2025-09-03T02:00:00.000Z', '2025-09-01T09:00:05.000Z']);
  });

  test('covers every table with a workspace_id, or gives the reason', async () => {
    const { rows } = await api.db.pool.query(
      'select table_name as name from information_schema.columns where table_schema = ' +
        "'public' and column_name = 'workspace_id'",
    );
    const known = [...exportedTables.map(({ name }) => name), ...Object.keys(omittedTables)];
    expect(known.toSorted()).toEqual(rows.map((row) => row.name as string).toSorted());
  });
});

describe('the job of an export', () => {
  test('is shared while it runs, and starts again from the beginning after a crash', async () => {
    const [first, second] = [
      await api.ok('POST /workspace/exports', { body: {} }, ann),
      await api.ok('POST /workspace/exports', { body: {} }, ann),
    ];
    expect([second.poll, second.job.id, second.job.deduped]).toEqual([
      first.poll,
      first.job.id,
      true,
    ]);
    const exportId = Number(first.poll.split('/').at(-1));
    await api.db.pool.query(
      'insert into export_chunks (workspace_id, export_id, number, data) values ($1, $2, 0, $3)',
      [ann.workspaceId, exportId, Buffer.from('half')],
    );
    expect(
      (await api.call('GET /workspace/exports/{exportId}/file', { params: { exportId } }, ann))
        .status,
    ).toBe(404);
    expect(
      await api.ok('GET /workspace/exports/{exportId}', { params: { exportId } }, ann),
    ).toMatchObject({ state: 'queued', download: null });
    await runAcceptedJobs(api);
    const file = await api.raw(`/workspace/exports/${exportId}/file`, {}, ann);
    expect(JSON.parse(file.text.trimEnd().split('\n').at(-1)!)).toHaveProperty('end.sha256');
  });

  test('fails at once with a reason when the file is larger than an import takes', async () => {
    const { text } = await exportAll();
    const { job, poll } = await api.ok('POST /workspace/exports', { body: {} }, ann);
    const run = (limits: { bytesMax?: number }) =>
      runBackgroundJob(
        { ...api.services, listingCache: new ListingCache() },
        {
          jobs: [
            {
              name: 'export',
              retry: { delaysMs: [1_000, 4_000] },
              stateBeforeRetry: 'queued',
              timeoutMs: 60_000,
              run: (...work) => writeWorkspaceExport(...work, limits),
            },
          ],
          kinds: jobKinds,
        },
        job.id,
        AbortSignal.timeout(60_000),
      );
    const params = { jobId: job.id };
    await run({ bytesMax: Buffer.byteLength(text) - 1 });
    expect(await api.ok('GET /jobs/{jobId}', { params }, ann)).toMatchObject({
      state: 'failed',
      attempts: 1,
      error: expect.stringMatching(/^the file would be larger than .*single apps/),
    });
    const exportId = Number(poll.split('/').at(-1));
    const { rows } = await api.db.pool.query(
      'select count(*)::int as count from export_chunks where export_id = $1',
      [exportId],
    );
    expect(rows[0].count).toBe(0);
    await api.ok('POST /jobs/{jobId}/retry', { params }, ann);
    await run({});
    expect(
      await api.ok('GET /workspace/exports/{exportId}', { params: { exportId } }, ann),
    ).toMatchObject({ state: 'succeeded', bytes: expect.any(Number) });
  });

  test('ends without the facts of an app that is deleted while it runs', async () => {
    const who = await api.signUp();
    const plan = { apps: 2, markets: 2, days: 2, lastDay: '2026-11-21' };
    const { appIds } = await seedHistory(api.db.pool, { workspaceId: who.workspaceId, ...plan });
    // The first chunk has the rows of the workspace; facts are read after it is stored.
    await api.db.pool.query(`
      create function delete_app() returns trigger language plpgsql security definer as $$ begin
        delete from apps where id = ${appIds[0]}; return null; end $$;
      create trigger delete_app after insert on export_chunks
        for each row when (new.number = 0 and new.workspace_id = ${who.workspaceId})
        execute function delete_app()`);
    try {
      const { lines } = await exportAll(who);
      const apps = lines.filter(({ table }) => table === 'apps').map(({ row }) => row!['id']);
      expect(apps.toSorted()).toEqual(appIds.toSorted());
      const ranked = lines.filter(({ table }) => table === 'rankings');
      expect(new Set(ranked.map(({ row }) => row!['appId']))).toEqual(new Set([appIds[1]]));
    } finally {
      await api.db.pool.query('drop function delete_app cascade');
    }
  });

  test('does not end as if it were whole when it is deleted while it is read', async () => {
    const who = await api.signUp();
    const app = await insertApp(api, who, { storeAppId: '7002' });
    // A file of several chunks.
    await api.db.pool.query(
      `insert into annotations (workspace_id, app_id, on_date, text, created_at)
       select $1, $2, '2026-11-02', repeat('x', 400), now() from generate_series(1, 3000)`,
      [who.workspaceId, app.id],
    );
    const { id, text } = await exportAll(who);
    const readAll = async (chunks: AsyncIterable<Buffer>) => {
      const read: Buffer[] = [];
      for await (const chunk of chunks) read.push(chunk);
      return Buffer.concat(read).toString();
    };
    expect(await readAll(await openWorkspaceExport(who.ctx, id))).toBe(text);
    const chunks = await openWorkspaceExport(who.ctx, id);
    await chunks.next();
    await api.db.pool.query('delete from exports where id = $1', [id]);
    await expect(readAll(chunks)).rejects.toThrow('deleted while it was read');
  });

  test('deletes older files, and the file itself after a day', async () => {
    const { id } = await exportAll();
    const kept = async () =>
      (
        await api.db.pool.query(
          'select count(*)::int as count from exports where workspace_id = $1',
          [ann.workspaceId],
        )
      ).rows[0].count;
    expect(await kept()).toBeLessThanOrEqual(3);
    await deleteExpired(api.services);
    expect(await kept()).toBeGreaterThan(0);
    api.clock.advance(86_400_001);
    expect(
      (await api.call('GET /workspace/exports/{exportId}', { params: { exportId: id } }, ann))
        .status,
    ).toBe(404);
    expect(
      (await api.call('GET /workspace/exports/{exportId}/file', { params: { exportId: id } }, ann))
        .status,
    ).toBe(404);
    await deleteExpired(api.services);
    expect(await kept()).toBe(0);
    const { rows } = await api.db.pool.query(
      'select count(*)::int as count from export_chunks where workspace_id = $1',
      [ann.workspaceId],
    );
    expect(rows[0].count).toBe(0);
  });
});

describe('access to exports', () => {
  test('is allowed for read-only tokens and suspended sessions; others get 404', async () => {
    const suspended = await api.signUp({ state: 'suspended' });
    const { id } = await exportAll(suspended);
    const token = await api.token(await api.signUp(), { readOnly: true });
    const mine = await api.ok('POST /workspace/exports', { body: { format: 'ndjson' } }, token);
    expect(mine.job.state).toBe('queued');
    for (const key of [
      'GET /workspace/exports/{exportId}',
      'GET /workspace/exports/{exportId}/file',
    ] as const) {
      const foreign = await api.call(key, { params: { exportId: id } }, token);
      const absent = await api.call(key, { params: { exportId: 999_999_999 } }, token);
      expect([foreign.status, foreign.body.code, absent.status]).toEqual([404, 'not_found', 404]);
    }
  });

  test('of others is not taken away by a read-only token, however many it makes', async () => {
    const owner = await api.signUp();
    const reader = await api.token(owner, { readOnly: true });
    const { id } = await exportAll(owner);
    const next = await api.ok('POST /workspace/exports', { body: {} }, reader);
    const mine = await api.ok('POST /workspace/exports', { body: {} }, owner);
    expect([mine.job.deduped, mine.poll === next.poll]).toEqual([false, false]);
    for (let count = 0; count < 4; count += 1) await exportAll(reader);
    const statusOf = async (exportId: number) =>
      (await api.call('GET /workspace/exports/{exportId}', { params: { exportId } }, owner)).status;
    expect([await statusOf(id), await statusOf(Number(mine.poll.split('/').at(-1)))]).toEqual([
      200, 200,
    ]);
    expect(await statusOf(Number(next.poll.split('/').at(-1)))).toBe(404);
  });

  test('refuses unknown formats with the list of formats, and writes nothing', async () => {
    const before = await describeTables(api);
    const response = await api.raw(
      '/workspace/exports',
      {
        method: 'POST',
        body: '{"format":"sqlite"}',
        headers: { 'content-type': 'application/json' },
      },
      ann,
    );
    expect([response.status, response.body.issues]).toEqual([
      400,
      [expect.objectContaining({ path: 'format', limit: 'ndjson' })],
    ]);
    expect(await describeTables(api)).toEqual(before);
  });
});
