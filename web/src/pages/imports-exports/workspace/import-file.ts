import { call, type ResponseOf } from '#web/api.ts';
import { pollUntilEnded } from '#web/queries/poll-until-ended.ts';
import { sendPart } from '#web/queries/send-part.ts';
import { readParts } from './parse-export-file.ts';

export type ImportReport = Extract<ResponseOf<'POST /workspace/imports'>, { tables: unknown }>;
export type WorkspaceImport = ResponseOf<'GET /workspace/imports/{importId}'>;

/** The error of the API for the file. */
export class ImportRefusal extends Error {
  readonly issues: readonly { path: string; message: string }[];

  constructor(refusal: NonNullable<WorkspaceImport['refusal']>) {
    super(refusal.message);
    this.issues = refusal.issues;
  }
}

/**
 * Uploads an export and returns the result. Small files are imported at once; large ones and those
 * with public facts are sent in parts and imported by a job. `onProgress` receives the sent share,
 * which is 1 while the job runs.
 */
export async function importFile(
  file: Blob,
  { asPublicFacts, onProgress }: { asPublicFacts: boolean; onProgress: (share: number) => void },
): Promise<ImportReport> {
  let sent = 0;
  let held: string | null = null;
  let parts = 0;
  const leave = async (text: string) => {
    parts += 1;
    const part = parts;
    await sendPart(() =>
      call('PUT /workspace/imports/parts/{part}', { params: { part }, body: { text } }),
    );
    sent += text.length;
    // A character has at least one byte, so the share may lag until the last part.
    onProgress(Math.min(1, sent / file.size));
  };
  for await (const text of readParts(file)) {
    if (held !== null) await leave(held);
    held = text;
  }
  if (held !== null && parts === 0 && !asPublicFacts)
    return asReport(
      await call('POST /workspace/imports', { body: { format: 'ndjson', text: held } }),
    );
  if (held !== null) await leave(held);
  onProgress(1);
  const accepted = await call('POST /workspace/imports', {
    body: { format: 'ndjson', parts, asPublicFacts },
  });
  return 'poll' in accepted ? waitFor(Number(accepted.poll.split('/').at(-1))) : accepted;
}

function asReport(response: ResponseOf<'POST /workspace/imports'>): ImportReport {
  if ('tables' in response) return response;
  throw new Error('A text is imported at once.');
}

/** As long as the import runs: it goes on without the page. */
async function waitFor(importId: number): Promise<ImportReport> {
  const report = await pollUntilEnded(
    () => call('GET /workspace/imports/{importId}', { params: { importId } }),
    findReport,
    Infinity,
  );
  return report!;
}

/** Null while the import runs. Throws ImportRefusal. */
function findReport({
  report,
  refusal,
  state,
  asPublicFacts,
}: WorkspaceImport): ImportReport | null {
  // The report is there before its facts are public.
  if (report && (!asPublicFacts || state === 'succeeded')) return report;
  if (refusal) throw new ImportRefusal(refusal);
  if (state === 'failed' || state === 'cancelled')
    throw new ImportRefusal({ message: '', issues: [] });
  return null;
}
