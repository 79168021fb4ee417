import type { Db } from '#db/database.ts';
import { inTransaction, inWorkspace, type Tx } from '#db/database.ts';
import type { Logger } from '#lib/logger.ts';
import type {
  BackupMaker,
  Clock,
  ImageSource,
  Mailer,
  ParquetExporter,
  HistoryFiles,
  PopularityApi,
  PopularityFiles,
  Payments,
  QueueCapacity,
  StoreName,
  Stores,
  SearchDelay,
  UpdateSource,
  WebhookSender,
} from './ports.ts';
import type { KeywordScoreReader } from './ports/keyword-score-reader.ts';
import type { TagReferences } from './ports/tag-references.ts';

export interface EgressHealth {
  /** `direct`, or host and port of a proxy: never a secret. */
  name: string;
  consecutiveFailures: number;
  unavailableUntil: Date | null;
}

/** For how many days facts are kept; null keeps them for ever. */
export interface KeepDays {
  serps: number | null;
  events: number | null;
  /** From the end of a job. */
  jobs: number | null;
  /** Provenance of scores that a newer one replaced. */
  scoreProvenance: number | null;
}

/** The domain's configuration. */
export interface DomainSettings {
  /** Minutes after 00:00Z at which the daily run opens. */
  dailyRunAtMinutes: number;
  /** The number of results that are stored per search. */
  serpStoredDepth: number;
  keepDays: KeepDays;
  requestsPerMinute: Record<StoreName, number>;
  /** The pace of each host that has its own, by host. */
  hostRequestsPerMinute: Readonly<Record<string, number>>;
  /** The search providers of each store; positions are those of the first one. */
  searchProviders: Readonly<Record<StoreName, readonly string[]>>;
  /** The share of markets that are searched with two providers once a week; 0 for none. */
  comparisonPercent: number;
  /**
   * Healthy egress endpoints as seen by this process, at least 1; 1 when requests are sent
   * directly.
   */
  endpoints: () => number;
  /** Every egress endpoint as seen by this process. */
  egress: () => readonly EgressHealth[];
  billingEnabled: boolean;
  /** The database size above which an alert is raised; 0 disables it. */
  diskBudgetBytes: number;
  operatorEmails: readonly string[];
  /** Everybody may sign up, so there can be a second workspace at any time. */
  signUpOpen: boolean;
  /** The public address of the dashboard, without a trailing slash. */
  publicUrl: string | null;
}

/** The services that verbs use; created once in boot. */
export interface Services {
  /** Bound by row-level security: only inside `inTenant`. */
  appDb: Db;
  /** For read-only requests: it is faster, and nothing can be written. */
  readDb: Db;
  /** Sees every workspace: for sign-in, planning and the run. */
  systemDb: Db;
  clock: Clock;
  stores: Stores;
  images: ImageSource;
  searchDelay: SearchDelay;
  keywordScores: KeywordScoreReader;
  tagReferences: TagReferences;
  settings: DomainSettings;
  queueCapacity: QueueCapacity;
  webhooks: WebhookSender;
  /**
   * Null when no mail server is configured. Links are then shown, or created on the command line.
   */
  mailer: Mailer | null;
  /** Null without the provider's keys. Operators then set plans manually. */
  payments: Payments | null;
  /** Null without a directory for backups. */
  backups: BackupMaker | null;
  /** Null without a time for Parquet files. */
  parquet: ParquetExporter | null;
  popularityFiles: PopularityFiles;
  historyFiles: HistoryFiles;
  popularityApi: PopularityApi;
  /** Null where no newer release is looked for. */
  updates: UpdateSource | null;
  /** The key that encrypts stored secrets; created or read when first needed. */
  encryptionKey: () => Promise<Buffer>;
  log: Logger;
  /** Wakes the scheduler for new work. A lost call only costs a second. */
  wake: () => void;
}

export type Actor =
  | {
      kind: 'session';
      userId: number;
      sessionId: number;
      role: 'owner' | 'member';
      email: string;
      operator: boolean;
    }
  | {
      kind: 'token';
      userId: number;
      tokenId: number;
      role: 'owner' | 'member';
      email: string;
      operator: boolean;
      readOnly: boolean;
    };

/** The versions that a write accepts, as versions of these members. */
export interface Precondition {
  versions: readonly string[];
  members: readonly string[];
}

/**
 * The caller and the workspace. The first argument of every verb that a user or a token can reach.
 */
export interface Ctx extends Services {
  workspaceId: number;
  workspaceState: 'trial' | 'live' | 'lapsed' | 'suspended';
  actor: Actor;
  /** From If-Match. */
  precondition?: Precondition | undefined;
}

/** What a read of the workspace needs, also one for people without an account. */
export type Reader = Pick<Ctx, 'appDb' | 'workspaceId' | 'clock'>;

/** Runs a transaction on this workspace's rows alone. Slow work must stay outside of it. */
export function inTenant<T>(
  ctx: Pick<Ctx, 'appDb' | 'workspaceId'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inWorkspace(ctx.appDb, ctx.workspaceId, work);
}

export function inSystem<T>(
  services: Pick<Services, 'systemDb'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inTransaction(services.systemDb, work);
}
