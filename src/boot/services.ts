import type pg from 'pg';
import { createAppleAdsApi, type AppleAdsOptions } from '#apple-ads/apple-ads-api.ts';
import type { Config } from '#config/env.ts';
import { hostPacesIn, paceSettingOf } from '#config/pace-settings.ts';
import { providersIn } from '#config/provider-settings.ts';
import { updateUrlIn } from '#config/update-settings.ts';
import { openDatabase, openReadDatabase } from '#db/database.ts';
import { joinElection, type Election } from '#db/election.ts';
import { openReplicaProbe, type ReplicaProbe } from '#db/replica/probe-replica.ts';
import { ruleTags } from '#domain/alerting/alerts/rule-tags.ts';
import type { DomainSettings } from '#domain/base/context.ts';
import { keywordScoreReader } from '#domain/insights/scores/keyword-score-reader.ts';
import { waitForBackup } from '#domain/scheduling/backups/start-due-backup.ts';
import { waitForParquetExport } from '#domain/scheduling/parquet/start-due-parquet-export.ts';
import { waitForUpload } from '#domain/scheduling/backups/start-due-upload.ts';
import { FieldWatch } from '#domain/tracking/drift/field-watch.ts';
import { stopImageFetches } from '#domain/tracking/images/start-image-fetches.ts';
import { saveFieldCounts } from '#domain/tracking/drift/sync-field-watch.ts';
import { ListingCache } from '#domain/tracking/listings/listing-cache.ts';
import { stopSync } from '#domain/transfer/popularity/sync/start-due-sync.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { systemClock, type Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/logger.ts';
import { createMailer } from '#outbound/mailer.ts';
import { createUpdateSource } from '#outbound/update-source.ts';
import { createWebhookSender } from '#outbound/webhook-sender.ts';
import { createStripePayments } from '#payments/stripe-payments.ts';
import { openQueueStore, type QueueStore } from '#queue/queue.ts';
import {
  createEgressPool,
  createHealthWriter,
  createImageSource,
  createPacer,
  createStores,
  createSearchDelay,
  type EgressPool,
  type Pacer,
} from '#stores/index.ts';
import { mapStores, type Payments, type UpdateSource } from '#domain/base/ports.ts';
import { openParquetExporter } from './parquet/open-parquet-exporter.ts';
import { openBackupMaker } from './backups/open-backup-maker.ts';
import { openFileReaders } from './file-threads/open-file-readers.ts';
import { openPools } from './open-pools.ts';
import { createCounters, type Counters } from './counters.ts';
import type { Database } from './database.ts';
import { encryptionKeyReader } from './secrets.ts';

export interface Runtime {
  services: CheckServices;
  /** For the connections of threads, in the API's role. */
  databaseUrl: string;
  /** Null without a replica. */
  replica: ReplicaProbe | null;
  /** Counters of sign-in attempts and of requests against plans; created when first needed. */
  counters(): Promise<Counters>;
  queues: QueueStore;
  /** Takes part in the election of the scheduler that works; the others are ready. */
  joinElection(): Election;
  /** Set by the role that runs the scheduler. */
  onWake(listener: () => void): void;
  close(): Promise<void>;
}

export interface RuntimeOptions {
  config: Config;
  database: Pick<Database, 'urlOf'>;
  log: Logger;
  clock?: Clock;
  queueTiming?: { stalledIntervalMs: number; lockDurationMs: number };
  /** No other process reaches the database. */
  isAlone?: boolean;
  /** Tests with a simulated clock wrap the pacer so that it does not cool down in real time. */
  wrapPacer?: (pacer: Pacer) => Pacer;
  /** Waits between requests for published popularity; a simulated server needs shorter ones. */
  popularityWait?: NonNullable<AppleAdsOptions['wait']>;
}

function openEgress(config: Config, db: ReturnType<typeof openPools>['pacing'], log: Logger) {
  const onError = (error: unknown) =>
    log.warn({ error: (error as Error).message }, 'the health of an endpoint was not saved');
  const healthWriter = createHealthWriter({ db, onError });
  const egress = createEgressPool({ proxies: config.EGRESS_PROXIES, onHealth: healthWriter.note });
  return { egress, healthWriter };
}

const describeEndpoints = (egress: EgressPool, clock: Clock) =>
  egress.health().map(({ unavailableForMs, ...endpoint }) => ({
    ...endpoint,
    unavailableUntil:
      unavailableForMs === 0 ? null : new Date(clock.now().getTime() + unavailableForMs),
  }));

/** Creates every service that a role may use. Nothing starts working yet. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { config, log } = options;
  const clock = options.clock ?? systemClock;
  const pools = openPools(options.database, log);
  const rpm = mapStores(({ id }) => config[paceSettingOf(id)]);
  const onError = (error: unknown) =>
    log.warn({ error: (error as Error).message }, 'the pace of the stores could not be read');
  const { egress, healthWriter } = openEgress(config, pools.pacing, log);
  const onSetBack = (seconds: number) =>
    log.error({ seconds }, 'the clock of the database was set back');
  const hostRpm = hostPacesIn(config);
  const pacer = createPacer({ db: pools.pacing, egress, clock, rpm, hostRpm, onError, onSetBack });
  const usedPacer = options.wrapPacer?.(pacer) ?? pacer;
  const searchDelay = createSearchDelay(usedPacer);
  const sources = { baseUrl: config.STORE_BASE_URL, pacer: usedPacer, egress, clock };
  const stores = createStores({
    ...sources,
    onRequest: searchDelay.observe,
    sampleSink: (sample) =>
      log.error(
        { store: sample.store, marker: sample.marker, sample: sample.body.slice(0, 500) },
        'a store response could not be parsed',
      ),
  });
  const webhooks = createWebhookSender({
    allowedSubnets: config.WEBHOOK_ALLOWED_SUBNETS,
    ownPorts: portsOf(config),
  });
  const mailer = openMailer(config);
  const queues = openQueueStore({
    queueUrl: config.QUEUE_URL,
    pool: pools.queue,
    log,
    isAlone: options.isAlone === true,
    ...options.queueTiming,
  });
  await queues.migrate();
  const backups = openBackupMaker(config, options.database.urlOf('owner'));
  let wake: () => void = () => undefined;
  const parquet = openParquetExporter(config, options.database);
  const { stop: stopReading, ...fileReaders } = openFileReaders(config, options.database, clock);
  const settings: DomainSettings = {
    dailyRunAtMinutes: config.DAILY_RUN_AT,
    serpStoredDepth: config.SERP_STORED_DEPTH,
    keepDays: {
      serps: config.SERP_KEEP_DAYS,
      events: config.EVENT_KEEP_DAYS,
      jobs: config.JOB_KEEP_DAYS,
      scoreProvenance: config.SCORE_PROVENANCE_KEEP_DAYS,
    },
    requestsPerMinute: rpm,
    hostRequestsPerMinute: hostRpm,
    searchProviders: providersIn(config),
    comparisonPercent: config.SCRAPE_COMPARISON_PERCENT,
    endpoints: () => Math.max(1, egress.healthyCount()),
    egress: () => describeEndpoints(egress, clock),
    billingEnabled: config.BILLING_ENABLED,
    diskBudgetBytes: config.DISK_BUDGET_BYTES,
    operatorEmails: config.OPERATOR_EMAILS,
    publicUrl: config.PUBLIC_URL,
    signUpOpen: config.SIGN_UP === 'open',
  };
  const services: CheckServices = {
    appDb: openDatabase(pools.app),
    readDb: openReadDatabase(pools.read),
    systemDb: openDatabase(pools.system),
    clock,
    stores,
    images: createImageSource(sources),
    searchDelay,
    keywordScores: keywordScoreReader,
    tagReferences: ruleTags,
    settings,
    queueCapacity: queues.queueCapacity,
    webhooks,
    mailer,
    payments: openPayments(config, log),
    backups,
    parquet,
    ...fileReaders,
    popularityApi: openPopularityApi(options, clock),
    updates: openUpdates(config),
    encryptionKey: encryptionKeyReader(config),
    log,
    wake: () => wake(),
    listingCache: new ListingCache(),
    fieldWatch: new FieldWatch(),
  };
  const replica = openReplica(config, pools.app, log);
  let counters: Promise<Counters> | null = null;
  return {
    services,
    databaseUrl: options.database.urlOf('app'),
    replica,
    counters: () => (counters ??= createCounters(config, services, pools.limits)),
    queues,
    joinElection: () =>
      joinElection({
        url: options.database.urlOf('system'),
        log,
        ...(options.isAlone === true && {
          onOwnWork: (listener) => {
            for (const pool of [pools.app, pools.system]) pool.on('release', listener);
          },
        }),
      }),
    onWake: (listener) => {
      wake = listener;
    },
    close: async () => {
      backups?.stop();
      parquet?.stop();
      stopReading();
      await Promise.all([
        waitForBackup(services),
        waitForUpload(services),
        waitForParquetExport(services),
        stopImageFetches(services),
        stopSync(services),
      ]);
      await saveFieldCounts(services).catch(reportLostCounts(log));
      await (await counters)?.close();
      await pacer.close();
      await healthWriter.close();
      await egress.close();
      await webhooks.close();
      await mailer?.close();
      await Promise.all([queues.close(), replica?.close()]);
      await Promise.all(Object.values(pools).map((pool) => pool.end().catch(() => undefined)));
    },
  };
}

const reportLostCounts = (log: Logger) => (error: unknown) =>
  log.warn({ error: (error as Error).message }, 'counts of fields could not be written');

function openPopularityApi({ config, popularityWait: wait }: RuntimeOptions, clock: Clock) {
  return createAppleAdsApi({ baseUrl: config.STORE_BASE_URL, clock, ...(wait && { wait }) });
}

function openMailer({ SMTP_URL: url, MAIL_FROM: from }: Config) {
  return url === null ? null : createMailer({ url, from: from! });
}

function openReplica(
  { DATABASE_READ_URL: url }: Config,
  primary: pg.Pool,
  log: Logger,
): ReplicaProbe | null {
  return url === null ? null : openReplicaProbe({ url, primary, role: 'app', log });
}

/** Null without keys: plans are then set manually. */
function openPayments(
  { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICES, STRIPE_BASE_URL }: Config,
  log: Logger,
): Payments | null {
  if (STRIPE_SECRET_KEY === null || STRIPE_WEBHOOK_SECRET === null) return null;
  return createStripePayments({
    secretKey: STRIPE_SECRET_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
    prices: STRIPE_PRICES,
    baseUrl: STRIPE_BASE_URL,
    log,
  });
}

function openUpdates(config: Config): UpdateSource | null {
  const url = updateUrlIn(config);
  return url === null ? null : createUpdateSource(url);
}

/** The ports of our own services, which webhooks must not reach. */
function portsOf(config: Config): number[] {
  const urls = [
    config.DATABASE_URL,
    config.DATABASE_READ_URL,
    config.QUEUE_URL,
    config.API_URL,
  ].flatMap((url) => (url === null ? [] : [Number(new URL(url).port)]));
  return [config.API_PORT, config.WEB_PORT, ...urls].filter((port) => port > 0);
}
