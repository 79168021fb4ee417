import type { Config } from '#config/env.ts';
import { listUnknownNames } from '#config/env-file.ts';
import { updateUrlIn } from '#config/update-settings.ts';
import { readInstanceFacts } from '#db/doctor/read-instance-facts.ts';
import { readServerFacts } from '#db/doctor/read-server-facts.ts';
import { openPool } from '#db/pool.ts';
import { openReplicaProbe } from '#db/replica/probe-replica.ts';
import type { EgressHealth } from '#domain/base/context.ts';
import { findCluster } from '#embedded-postgres/find-cluster.ts';
import { systemClock, type Clock } from '#lib/clock.ts';
import { silentLogger } from '#lib/logger.ts';
import { createRedactor } from '#lib/redact.ts';
import { checkMailServer, type MailServerFacts } from '#outbound/check-mail-server.ts';
import { readRedisFacts } from '#queue/read-redis-facts.ts';
import { createUpdateSource } from '#outbound/update-source.ts';
import { databaseName } from '../database-name.ts';
import type {
  DatabaseReading,
  Readings,
  RedisReading,
  ReplicaReading,
  UpdateReading,
} from './readings.ts';
import { searchStores } from './search-stores.ts';

/** PostgreSQL's insufficient_privilege. */
const deniedCode = '42501';

export interface ReadingOptions {
  clock?: Clock;
  /** The endpoints of the running product, which then sends no searches of its own. */
  egress?: readonly EgressHealth[];
}

/** Reads all that the checks look at. Nothing is written, and no server is started. */
export async function takeReadings(
  config: Config,
  { clock = systemClock, egress }: ReadingOptions = {},
): Promise<Readings> {
  const isOutside = egress === undefined;
  const [database, redis, limits, mail] = await Promise.all([
    readDatabase(config, clock),
    readRedis(config.QUEUE_URL),
    readRedis(config.LIMITS_URL),
    isOutside ? readMailServer(config.SMTP_URL) : null,
  ]);
  const paces = database.state === 'running' ? (database.instance?.paces ?? []) : [];
  return {
    config,
    now: clock.now(),
    unknownNames: listUnknownNames(),
    database,
    replica: await readReplica(config, database),
    redis,
    limits,
    mail,
    update: await readUpdate(updateUrlIn(config), isOutside ? null : database),
    stores: isOutside ? await searchStores(config, paces) : [],
    egress: egress ?? null,
  };
}

async function readDatabase(config: Config, clock: Clock): Promise<DatabaseReading> {
  const { DATABASE_URL: url, DATA_DIR: dataDir } = config;
  try {
    if (url !== null) return await readServer(url, config, { clock, home: null });
    const cluster = await findCluster(dataDir);
    if (cluster === null) return { state: 'none' };
    const { home, majorVersion, urlOf } = cluster;
    return urlOf === null
      ? { state: 'stopped', majorVersion, home }
      : await readServer(urlOf(databaseName), config, { clock, home });
  } catch (error) {
    const isDenied = (error as { code?: string }).code === deniedCode;
    return { state: isDenied ? 'denied' : 'unreachable', reason: reasonOf(error) };
  }
}

/** Compared with the primary, in the role of the addresses. */
async function readReplica(
  { DATABASE_URL: url, DATABASE_READ_URL: readUrl }: Config,
  { state }: DatabaseReading,
): Promise<ReplicaReading | null> {
  if (url === null || readUrl === null || state !== 'running') return null;
  const options = { role: 'owner', log: silentLogger } as const;
  const primary = openPool({ ...options, url, max: 1, statementTimeoutMs: 2_000 });
  const probe = openReplicaProbe({ ...options, url: readUrl, primary });
  try {
    return await probe.read();
  } catch (error) {
    return { reason: reasonOf(error) };
  } finally {
    await Promise.allSettled([probe.close(), primary.end()]);
  }
}

async function readServer(
  url: string,
  { BACKUP_S3_URL: address }: Config,
  { clock, home }: { clock: Clock; home: string | null },
): Promise<DatabaseReading> {
  const server = await readServerFacts(url, () => clock.now());
  const hasSchema = (server.migrations?.length ?? 0) > 0;
  const isReadable = hasSchema && server.hasRoles && server.mayUseRoles;
  const at = { now: clock.now(), address };
  const instance = isReadable ? await readInstanceFacts(url, at, silentLogger) : null;
  return { state: 'running', server, instance, home };
}

async function readRedis(url: string | null): Promise<RedisReading | null> {
  if (url === null) return null;
  return readRedisFacts(url).catch((error: unknown) => ({ reason: reasonOf(error) }));
}

/** A server may quote the user or the password that it rejects. */
async function readMailServer(url: string | null): Promise<MailServerFacts | null> {
  return url === null ? null : createRedactor([url])(await checkMailServer(url));
}

/** Read now, or, in the running product, as the daily request found it. */
async function readUpdate(
  url: string | null,
  database: DatabaseReading | null,
): Promise<UpdateReading | null> {
  if (url === null) return null;
  if (database !== null) {
    const instance = database.state === 'running' ? database.instance : null;
    return { newest: instance?.newestVersion ?? null };
  }
  return createUpdateSource(url)
    .readNewest()
    .then(
      (newest) => ({ newest }),
      (error: unknown) => ({ reason: reasonOf(error) }),
    );
}

/** Node reports a name with several addresses as one error without a message. */
function reasonOf(error: unknown): string {
  const { message, errors } = error as Error & { errors?: Error[] };
  return message || (errors?.[0]?.message ?? 'no response');
}
