/** The entry of a thread that runs heavy reads with connections of its own. */
import type { MessagePort } from 'node:worker_threads';
import { Tinypool } from 'tinypool';
import type { HeavyError, HeavyRead, HeavyResult } from '#api/heavy-reads/heavy-read.ts';
import { handleHeavyExport, handleHeavyRead, toHeavyError } from '#api/routes/handle-heavy-read.ts';
import { openReadDatabase, type Db } from '#db/database.ts';
import { connectTimeoutMs } from '#db/driver/with-client.ts';
import { openPool } from '#db/pool.ts';
import { openReplicaReads, type ReplicaReads } from '#db/replica/replica-reads.ts';
import { ruleTags } from '#domain/alerting/alerts/rule-tags.ts';
import type { Services } from '#domain/base/context.ts';
import { keywordScoreReader } from '#domain/insights/scores/keyword-score-reader.ts';
import { systemClock } from '#lib/clock.ts';
import { createLogger } from '#lib/logger.ts';
import { sendExport } from './export-channel.ts';
import { countOf, type ThreadData } from './thread-data.ts';
import { priorities, setThreadPriority } from '../thread-priority.ts';

const { databaseUrl, replicaUrl, readCounts, logLevel, settings } =
  Tinypool.workerData as ThreadData;
const log = createLogger(logLevel);
const primary = openPool({
  url: databaseUrl,
  role: 'app',
  max: 4,
  statementTimeoutMs: 10_000,
  connectTimeoutMs,
  isReading: true,
  endsWithClient: true,
  plansForValues: true,
  log,
});
const primaryDb = openReadDatabase(primary);
const replica =
  replicaUrl === null ? null : openReplicaReads({ url: replicaUrl, primary, max: 8, log });

/** The services of a heavy read. Others are missing on purpose: such a read only reads. */
const servicesWith = (database: Db): Services =>
  ({
    appDb: database,
    readDb: database,
    clock: systemClock,
    keywordScores: keywordScoreReader,
    tagReferences: ruleTags,
    settings: { ...settings, endpoints: () => 1, egress: () => [] },
    log,
  }) satisfies Partial<Services> as unknown as Services;

setThreadPriority(priorities.heavyReads);

export function readHeavily(read: HeavyRead): Promise<HeavyResult> {
  return withDatabase((services) => handleHeavyRead(services, read));
}

export async function exportText({
  read,
  port,
}: {
  read: HeavyRead;
  port: MessagePort;
}): Promise<void> {
  const failure = await withDatabase(async (services) => {
    await sendExport(port, await handleHeavyExport(services, read));
    return null;
  });
  if (failure !== null) await sendExport(port, failure);
}

/** An error when there is no database to read from. */
async function withDatabase<T>(work: (services: Services) => Promise<T>): Promise<T | HeavyError> {
  const acquired = await acquireDatabase().catch(toHeavyError);
  if ('kind' in acquired) return acquired;
  const { db, isReplica, release } = acquired;
  Atomics.add(readCounts, isReplica ? countOf.replica : countOf.primary, 1);
  try {
    return await work(servicesWith(db));
  } finally {
    release();
  }
}

const acquireDatabase = (): ReturnType<ReplicaReads['acquire']> =>
  replica?.acquire() ?? Promise.resolve({ db: primaryDb, isReplica: false, release: () => {} });
