import { writeCsv } from '#lib/csv-writer.ts';
import { call, type BudgetDelta, type ResponseOf } from '#web/api.ts';
import { renamePaths } from '../rename-paths.ts';
import { keyOf, type PlannedRow } from './plan-rows.ts';

/** A little less than the limit of the API. */
const maxSentRows = 5_000;
const maxCharacters = 240_000;
const names = ['phrase', 'country', 'device', 'date', 'position', 'depth', 'tags'] as const;

export interface SentRow {
  row: number;
  phrase: string;
  country: string;
  device: string;
  date: string;
  outcome: 'added' | 'existing' | 'duplicate' | 'not_checked';
}

interface Batch {
  rows: PlannedRow[];
  text: string;
}

/** Splits rows into CSV texts that fit into one request each. */
function splitBatches(rows: readonly PlannedRow[]): Batch[] {
  const head = writeCsv([names]);
  const batches: Batch[] = [];
  for (const row of rows) {
    const line = writeCsv([names.map((name) => row[name])]);
    const last = batches.at(-1);
    if (last && last.rows.length < maxSentRows && last.text.length + line.length <= maxCharacters) {
      last.rows.push(row);
      last.text += line;
    } else batches.push({ rows: [row], text: head + line });
  }
  return batches;
}

/** Throws an error of the API with the rows of the file in place of those of the request. */
const nameRowsOf =
  ({ rows }: Batch) =>
  (error: unknown): never => {
    throw renamePaths(error, (text) =>
      text.replace(/^rows\.(\d+)/, (path, row) => {
        const sent = rows[Number(row) - 1];
        return sent ? `rows.${sent.row}` : path;
      }),
    );
  };

type Progress = (done: number, total: number) => void;

/** Sends keywords in the order of the file. Each batch is accepted completely or not at all. */
export async function sendKeywords(
  appId: number,
  rows: readonly PlannedRow[],
  onProgress: Progress,
) {
  const sent: SentRow[] = [];
  const responses: ResponseOf<'POST /apps/{id}/keywords/import'>[] = [];
  for (const batch of splitBatches(rows)) {
    const response = await call('POST /apps/{id}/keywords/import', {
      params: { id: appId },
      body: { format: 'csv', text: batch.text },
    }).catch(nameRowsOf(batch));
    responses.push(response);
    sent.push(...response.rows.map(({ row, outcome }) => toSent(batch.rows[row - 1]!, outcome)));
    onProgress(sent.length, rows.length);
  }
  return {
    sent,
    budgetDelta: sumCosts(responses.map(({ budgetDelta }) => budgetDelta)),
    jobIds: responses.flatMap(({ job }) => job?.id ?? []),
  };
}

/** Each request starts where the one before it ended. */
function sumCosts(deltas: readonly BudgetDelta[]): BudgetDelta | undefined {
  const [first, last] = [deltas[0], deltas.at(-1)];
  if (!first || !last) return undefined;
  const sum = (field: 'searchesPerDay' | 'requestsPerDay' | 'firstRunRequests') =>
    deltas.reduce((total, delta) => total + delta[field], 0);
  return {
    searchesPerDay: sum('searchesPerDay'),
    requestsPerDay: sum('requestsPerDay'),
    firstRunRequests: sum('firstRunRequests'),
    utilizationBefore: first.utilizationBefore,
    utilizationAfter: last.utilizationAfter,
  };
}

/** Sends the history of tracked keywords. */
export async function sendHistory(
  appId: number,
  rows: readonly PlannedRow[],
  onProgress: Progress,
): Promise<SentRow[]> {
  const mapping = {
    phrase: 'phrase',
    country: 'country',
    device: 'device',
    date: 'date',
    position: 'position',
    depth: 'depth',
  };
  const sent: SentRow[] = [];
  for (const batch of splitBatches(rows)) {
    const response = await call('POST /workspace/imports', {
      body: { format: 'csv', appId, text: batch.text, mapping },
    }).catch(nameRowsOf(batch));
    if ('rows' in response)
      sent.push(...response.rows.map(({ row, outcome }) => toSent(batch.rows[row - 1]!, outcome)));
    onProgress(sent.length, rows.length);
  }
  return sent;
}

function toSent(
  { row, phrase, country, device, date }: PlannedRow,
  outcome: SentRow['outcome'],
): SentRow {
  return { row, phrase, country, device, date, outcome };
}

const pageSize = 500;
const maxPages = 10;

/** The tracked keywords of the app, up to 5,000. */
export async function readFollowed(appId: number, signal: AbortSignal): Promise<Set<string>> {
  const followed = new Set<string>();
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const response: ResponseOf<'GET /apps/{id}/keywords'> = await call(
      'GET /apps/{id}/keywords',
      {
        params: { id: appId },
        query: { limit: pageSize, sort: 'createdAt', ...(cursor && { cursor }) },
      },
      signal,
    );
    for (const keyword of response.items) followed.add(keyOf(keyword));
    cursor = response.nextCursor;
    if (cursor === null) break;
  }
  return followed;
}
