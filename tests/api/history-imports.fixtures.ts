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
