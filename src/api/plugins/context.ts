import type { DescribedSetting, Finding } from '#contract/diagnostics.ts';
import type { FastifyPluginAsync, FastifyPluginCallback } from 'fastify';
import type { Operation } from '#contract/operation.ts';
import type { AttemptCounters } from '#domain/base/ports/attempt-counters.ts';
import type { Identity } from '#domain/accounts/auth/authenticate.ts';
import type { SignUpMode } from '#domain/accounts/auth/sign-up.ts';
import type { Services } from '#domain/base/context.ts';
import type { RequestCounters } from '#domain/base/ports/request-counters.ts';
import type { QueueProbe, ReplicaReader } from '#domain/scheduling/health/get-health.ts';
import type { FairLimit } from '#lib/fair-limit.ts';
import type { TtlCache } from '#lib/ttl-cache.ts';
import type { HeavyReads } from '../heavy-reads/heavy-read.ts';
import type { HeavyReadRunner } from '../heavy-reads/run-heavy-read.ts';
import type { LiveStreams } from './live-streams.ts';
import type { Limits } from '../limits/index.ts';
import type { Admission } from '../limits/plan-limits.ts';
import type { Client } from './client.ts';

/** The part of the configuration that the API reads. */
export interface ApiConfig {
  publicUrl: string | null;
  apiDocs: 'owner' | 'member' | 'off';
  signUp: SignUpMode;
  /** Proxies whose X-Forwarded-* headers are trusted, besides the gateway on loopback. */
  trustProxy: readonly string[];
  insecureCookies: boolean;
  /** When set, requests from loopback are trusted only with this value in `x-toprung-gateway`. */
  gatewayKey?: string | undefined;
}

/** The parts of diagnostics that boot knows. */
export interface DiagnosticSources {
  examine: () => Promise<Finding[]>;
  settings: () => DescribedSetting[];
  /** Values that no document may contain. */
  secrets: () => string[];
}

export interface ApiDeps {
  services: Services;
  config: ApiConfig;
  /** Signs session cookies. */
  authSecret: string;
  version: string;
  queue?: QueueProbe;
  /** Absent without a replica. */
  replica?: ReplicaReader;
  diagnostics?: DiagnosticSources;
  /** Loads Bull Board as its Fastify plugin. */
  board?: () => Promise<{
    plugin: FastifyPluginAsync | FastifyPluginCallback;
    options?: Record<string, unknown>;
  }>;
  /** Counts rejected credentials and sign-in attempts. */
  attempts: AttemptCounters;
  /** Counts requests against plans, when billing is on. */
  counters?: RequestCounters;
  /**
   * How long a credential is cached, and a revocation by another process therefore not seen.
   * server.ts states the upper bound.
   */
  credentialCacheMs?: number;
  /** The interval at which request counts are stored. Without it they are not stored. */
  usageFlushMs?: number;
  /** Threads for heavy reads of large workspaces. Without them everything runs in this process. */
  heavyReads?: HeavyReads;
  /** Used in tests: other deadlines of requests. */
  timeoutsMs?: Partial<Record<Operation['rateClass'], number>>;
  /** Used in tests: a response that differs from its documentation is an error. */
  validateResponses?: boolean;
}

/** The services for handlers without a caller; `request.server.api`. */
export interface ApiContext extends ApiDeps {
  queue: QueueProbe;
  diagnostics: DiagnosticSources;
  limits: Limits;
  heavyReadRunner: HeavyReadRunner;
  /** Exports that are being sent. */
  exportSlots: FairLimit;
  /** Their bodies take minutes, so they are apart from exports. */
  largeZipSlots: FairLimit;
  /** Streams of changes that are open. */
  liveStreams: LiveStreams;
  /** Recently verified credentials. */
  recent: TtlCache;
  startedAtMs: number;
}

declare module 'fastify' {
  interface FastifyInstance {
    api: ApiContext;
  }
  interface FastifyRequest {
    client: Client;
    identity: Identity | null;
    /** The caller whose rate limits are sent where no credential is required. */
    limitedAs: Identity | null;
    /** The request passed every gate and counts for its workspace. */
    isCounted: boolean;
    /** The response is a replay of an earlier one. */
    isReplay: boolean;
    /** The handler did not have to query a store, so the response uses no allowance. */
    isFree: boolean;
    /** Its work ended because its client left. */
    wasAborted: boolean;
    /** The request's rate-limit slot, when billing is on. */
    admission: Admission | null;
  }
  interface FastifyReply {
    /** The handler has ended or the request was refused, so the status is final. */
    isDecided: boolean;
  }
  interface FastifyContextConfig {
    key?: string;
    operation?: Operation;
  }
}
