import type { Db } from '../db/database.ts';
import { inTransaction, inWorkspace, type Tx } from '../db/database.ts';
import type { Logger } from '../lib/logger.ts';
import type {
  Clock,
  Mailer,
  Payments,
  QueueHeadroom,
  StoreName,
  Stores,
  WebhookSender,
} from './ports.ts';

export interface EgressHealth {
  /** `direct`, or host and port of a proxy: never a secret. */
  name: string;
  failuresInRow: number;
  restsUntil: Date | null;
}

/** What the domain is configured with. */
export interface DomainSettings {
  /** Minutes after 00:00Z at which the daily run opens. */
  dailyRunAtMinutes: number;
  /** First places of an answer that are kept. */
  serpKeepDepth: number;
  requestsPerMinute: Record<StoreName, number>;
  /** Healthy egress endpoints as this process sees them, at least 1; 1 when requests leave directly. */
  endpoints: () => number;
  /** Every egress endpoint as this process sees it. */
  egress: () => readonly EgressHealth[];
  billingEnabled: boolean;
  /** What the database may take before somebody is told; 0: nobody is. */
  diskBudgetBytes: number;
  operatorEmails: readonly string[];
  /** The address people use, without a slash at its end. */
  publicUrl: string | null;
}

/** Everything a verb may use; made once in boot. */
export interface Services {
  /** Bound by row-level security: only inside `inTenant`. */
  appDb: Db;
  /** The same for requests that only read: faster, and nothing can be written. */
  readDb: Db;
  /** Sees every workspace: sign-in, planning, the run. */
  systemDb: Db;
  clock: Clock;
  stores: Stores;
  settings: DomainSettings;
  headroom: QueueHeadroom;
  webhooks: WebhookSender;
  /** Null where no mail server is configured: what mail would carry is then shown, or had on the command line. */
  mailer: Mailer | null;
  /** Null without the provider's keys: then who runs the instance sets plans by hand. */
  payments: Payments | null;
  /** Seals secrets at rest; made or read when it is first asked for. */
  sealKey: () => Promise<Buffer>;
  log: Logger;
  /** Tells the scheduler that there is new work; losing it costs a second, nothing else. */
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

/** Who asks, for which workspace. First argument of every verb that a person or a token can reach. */
export interface Ctx extends Services {
  workspaceId: number;
  workspaceState: 'trial' | 'live' | 'lapsed' | 'suspended';
  actor: Actor;
}

/** A transaction on this workspace's rows alone. Keep everything slow outside of it. */
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
