import { call, type Answer } from '../../../api.ts';
import { readParts } from './read-export-file.ts';

export type ImportReport = Extract<Answer<'POST /workspace/imports'>, { tables: unknown }>;
export type WorkspaceImport = Answer<'GET /workspace/imports/{importId}'>;

const beatMs = 1_500;
const mostBeats = 1_200;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What the file is refused for, in the words of the API. */
export class ImportRefusal extends Error {
  readonly issues: readonly { path: string; rule: string }[];

  constructor(refusal: NonNullable<WorkspaceImport['refusal']>) {
    super(refusal.message);
    this.issues = refusal.issues;
  }
}

/**
 * Sends an export and answers what was taken of it. A small one is imported at once, a larger one goes in parts and is then
 * imported by a job; `onProgress` is told the share that is sent, and 1 while the job is waited for.
 */
export async function importFile(
  file: Blob,
  onProgress: (share: number) => void,
): Promise<ImportReport> {
  let sent = 0;
  let held: string | null = null;
  let parts = 0;
  const leave = async (text: string) => {
    parts += 1;
    await call('PUT /workspace/imports/parts/{part}', { params: { part: parts }, body: { text } });
    sent += text.length;
    // Bytes are at least characters; the last part says 1.
    onProgress(Math.min(1, sent / file.size));
  };
  for await (const text of readParts(file)) {
    if (held !== null) await leave(held);
    held = text;
  }
  if (held !== null && parts === 0)
    return asReport(
      await call('POST /workspace/imports', { body: { format: 'ndjson', text: held } }),
    );
  if (held !== null) await leave(held);
  onProgress(1);
  const accepted = await call('POST /workspace/imports', { body: { format: 'ndjson', parts } });
  return 'poll' in accepted ? waitFor(Number(accepted.poll.split('/').at(-1))) : accepted;
}

function asReport(answer: Answer<'POST /workspace/imports'>): ImportReport {
  if ('tables' in answer) return answer;
  throw new Error('A text is imported at once.');
}

async function waitFor(importId: number): Promise<ImportReport> {
  for (let beat = 0; beat < mostBeats; beat += 1) {
    const { report, refusal, state } = await call('GET /workspace/imports/{importId}', {
      params: { importId },
    });
    if (report) return report;
    if (refusal) throw new ImportRefusal(refusal);
    if (state === 'failed' || state === 'cancelled')
      throw new ImportRefusal({ message: '', issues: [] });
    await wait(beatMs);
  }
  throw new ImportRefusal({ message: '', issues: [] });
}
