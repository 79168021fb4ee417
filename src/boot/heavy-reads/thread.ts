/** The entry of a thread that runs heavy reads with two connections of its own. */
import { Tinypool } from 'tinypool';
import type { HeavyRead, HeavyResult } from '#api/heavy-reads/heavy-read.ts';
import { handleHeavyRead } from '#api/routes/handle-heavy-read.ts';
import { openReadDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { ruleTags } from '#domain/alerting/alerts/rule-tags.ts';
import type { Services } from '#domain/base/context.ts';
import { keywordScoreReader } from '#domain/insights/scores/keyword-score-reader.ts';
import { systemClock } from '#lib/clock.ts';
import { createLogger } from '#lib/logger.ts';
import type { ThreadData } from './thread-data.ts';

const { databaseUrl, logLevel, settings } = Tinypool.workerData as ThreadData;
const log = createLogger(logLevel);
const database = openReadDatabase(
  openPool({
    url: databaseUrl,
    role: 'app',
    max: 2,
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

export default function run(read: HeavyRead): Promise<HeavyResult> {
  return handleHeavyRead(services, read);
}
