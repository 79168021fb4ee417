/** The entry of a thread that runs heavy reads with connections of its own. */
import { setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { Tinypool } from 'tinypool';
import type { HeavyRead, HeavyResult } from '#api/heavy-reads/heavy-read.ts';
import { handleHeavyExport, handleHeavyRead } from '#api/routes/handle-heavy-read.ts';
import { openReadDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { ruleTags } from '#domain/alerting/alerts/rule-tags.ts';
import type { Services } from '#domain/base/context.ts';
import { keywordScoreReader } from '#domain/insights/scores/keyword-score-reader.ts';
import { systemClock } from '#lib/clock.ts';
import { createLogger } from '#lib/logger.ts';
import { sendExport } from './export-channel.ts';
import type { ThreadData } from './thread-data.ts';

const threadPriority = 10;

const { databaseUrl, logLevel, settings } = Tinypool.workerData as ThreadData;
const log = createLogger(logLevel);
const database = openReadDatabase(
  openPool({
    url: databaseUrl,
    role: 'app',
    max: 4,
    statementTimeoutMs: 10_000,
    isReading: true,
    endsWithClient: true,
    log,
  }),
);

/** What a heavy read uses. Anything else is missing on purpose: such a read only reads. */
const services = {
  appDb: database,
  readDb: database,
  clock: systemClock,
  keywordScores: keywordScoreReader,
  tagReferences: ruleTags,
  settings: { ...settings, endpoints: () => 1, egress: () => [] },
  log,
} satisfies Partial<Services> as unknown as Services;

// On Linux this is the priority of the thread alone: the event loop comes first.
if (process.platform === 'linux') setPriority(threadPriority);

export function readHeavily(read: HeavyRead): Promise<HeavyResult> {
  return handleHeavyRead(services, read);
}

export async function exportText({ read, port }: { read: HeavyRead; port: MessagePort }) {
  await sendExport(port, await handleHeavyExport(services, read));
}
