import type { Config } from '#config/env.ts';
import type { InstanceFacts } from '#db/doctor/read-instance-facts.ts';
import type { ServerFacts } from '#db/doctor/read-server-facts.ts';
import type { ReplicaHealth } from '#db/replica/probe-replica.ts';
import type { EgressHealth } from '#domain/base/context.ts';
import type { StoreName } from '#domain/base/ports.ts';
import type { MailServerFacts } from '#outbound/check-mail-server.ts';
import type { RedisFacts } from '#queue/read-redis-facts.ts';

/**
 * `none`: no database yet; `stopped`: an embedded one whose server does not run; `denied`: the user
 * lacks privileges.
 */
export type DatabaseReading =
  | { state: 'none' }
  | { state: 'stopped'; majorVersion: string; home: string }
  | { state: 'unreachable' | 'denied'; reason: string }
  | { state: 'running'; server: ServerFacts; instance: InstanceFacts | null; home: string | null };

export type ReplicaReading = ReplicaHealth | { reason: string };

export type RedisReading = RedisFacts | { reason: string };

/** The outcome of a search through one endpoint. */
export interface StoreReading {
  store: StoreName;
  endpoint: string;
  /** `cooling`: nothing was sent, because the store refused this address a short while ago. */
  outcome: 'ok' | 'cooling' | 'refused' | 'unreadable' | 'unavailable';
  /** A short stable marker; null when all is well. */
  marker: string | null;
}

/** `newest` is null before it was read for the first time. */
export type UpdateReading = { newest: string | null } | { reason: string };

/** All that the checks look at, read once. */
export interface Readings {
  config: Config;
  now: Date;
  /** Names in `.env` that are no settings. */
  unknownNames: readonly string[];
  database: DatabaseReading;
  /** Null without DATABASE_READ_URL, and while the primary does not run. */
  replica: ReplicaReading | null;
  /** Null without QUEUE_URL. */
  redis: RedisReading | null;
  /** Null without LIMITS_URL. */
  limits: RedisReading | null;
  /** Null without SMTP_URL, and in the running product, where anybody could repeat it. */
  mail: MailServerFacts | null;
  /** Null where no newer release is looked for. */
  update: UpdateReading | null;
  stores: readonly StoreReading[];
  /** Endpoints as the running process sees them; null outside of it. */
  egress: readonly EgressHealth[] | null;
}
