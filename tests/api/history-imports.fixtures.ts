import { sql } from 'kysely';
import { openDatabase, withLastStep, type Db } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { silentLogger } from '#lib/logger.ts';
import type { Account, TestApi } from '../harness/api.ts';
import { runAcceptedJobs } from './exports.fixtures.ts';

interface Options {
  fileName?: string;
  partBytes?: number;
}

/** Creates an import and uploads its file in parts. */
export async function uploadHistory(
  api: TestApi,
  account: Account,
  { appId, file }: { appId: number; file: string | Buffer },
  { fileName = 'history.csv', partBytes = 700_000 }: Options = {},
): Promise<{ importId: number; parts: number }> {
  const bytes = Buffer.from(file);
  const { id: importId } = await api.ok(
    'POST /history-imports',
    { body: { appId, fileName } },
    account,
  );
  const parts = Math.max(1, Math.ceil(bytes.length / partBytes));
  for (let part = 1; part <= parts; part += 1)
    await api.ok(
      'PUT /history-imports/{importId}/parts/{part}',
      {
        params: { importId, part },
        body: {
          data: bytes.subarray((part - 1) * partBytes, part * partBytes).toString('base64'),
        },
      },
      account,
    );
  return { importId, parts };
}

/** Uploads a file, takes the recognized reading with changes, and checks the file. */
export async function checkHistory(
  api: TestApi,
  account: Account,
  upload: { appId: number; file: string | Buffer },
  change: object = {},
  options: Options = {},
) {
  const { importId, parts } = await uploadHistory(api, account, upload, options);
  const params = { importId };
  const preview = await api.ok(
    'POST /history-imports/{importId}/preview',
    { params, body: {} },
    account,
  );
  const reading = { ...preview.reading, ...change };
  await api.ok(
    'POST /history-imports/{importId}/checks',
    { params, body: { parts, reading } },
    account,
  );
  await runAcceptedJobs(api);
  const detail = await api.ok('GET /history-imports/{importId}', { params }, account);
  const { items } = await api.ok(
    'GET /history-imports/{importId}/rows',
    { params, query: { limit: 500 } },
    account,
  );
  return { importId, preview, detail, rows: items };
}

/** Imports what a check has shown. */
export async function runHistory(api: TestApi, account: Account, importId: number) {
  await api.ok('POST /history-imports/{importId}/runs', { params: { importId } }, account);
  await runAcceptedJobs(api);
  return api.ok('GET /history-imports/{importId}', { params: { importId } }, account);
}

/** The most imported ranks that `work` reads in a transaction. */
export async function countReadRanks(
  api: TestApi,
  work: (appDb: Db) => Promise<unknown>,
): Promise<number> {
  // The counts of a connection include those of its last transactions.
  const pool = openPool({
    url: api.db.url,
    role: 'app',
    max: 1,
    statementTimeoutMs: 10_000,
    log: silentLogger,
  });
  let most = 0;
  const appDb = withLastStep(openDatabase(pool), async (tx) => {
    const { rows } = await sql<{ read: bigint }>`select seq_tup_read + idx_tup_fetch as read
      from pg_stat_xact_user_tables where relname = 'imported_daily_ranks'`.execute(tx);
    most = Math.max(most, Number(rows[0]!.read));
  });
  try {
    await work(appDb);
  } finally {
    await pool.end();
  }
  return most;
}
