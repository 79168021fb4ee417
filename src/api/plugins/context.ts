import type { FastifyPluginAsync, FastifyPluginCallback } from 'fastify';
import type { Operation } from '../../contract/operation.ts';
import type { AttemptCounters } from '../../domain/accounts/attempt-counters.ts';
import type { Identity } from '../../domain/accounts/identify.ts';
import type { SignUpMode } from '../../domain/accounts/sign-up.ts';
import type { Services } from '../../domain/context.ts';
import type { RequestCounters } from '../../domain/billing/request-counters.ts';
import type { QueueProbe } from '../../domain/service/health.ts';
import type { RecentLookups } from '../../lib/recent-lookups.ts';
import type { Limits } from '../limits/index.ts';
import type { Admission } from '../limits/plan.ts';
import type { Client } from './client.ts';

/** The part of the configuration that the API reads. */
export interface ApiConfig {
  publicUrl: string | null;
  apiDocs: 'owner' | 'member' | 'off';
  signUp: SignUpMode;
  /** Proxies whose X-Forwarded-* is believed, besides the gateway on loopback. */
  trustProxy: readonly string[];
  insecureCookies: boolean;
  /** When set, even loopback is believed only with this in `x-toprung-gateway`. */
  gatewayKey?: string | undefined;
}

export interface ApiDeps {
  services: Services;
  config: ApiConfig;
  /** Signs session cookies. */
  authSecret: string;
  version: string;
  queue?: QueueProbe;
  /** Bull Board, as its Fastify plugin. */
  board?: { plugin: FastifyPluginAsync | FastifyPluginCallback; options?: Record<string, unknown> };
  /** Where rejected credentials and attempts to sign in are counted. */
  attempts: AttemptCounters;
  /** Where requests are counted against plans, where there are plans. */
  counters?: RequestCounters;
  /** How long a credential is not looked up again, and another process's revocation not seen; server.ts says how long else. */
  credentialsKeptMs?: number;
  /** How often counts of requests are stored; not at all when it is not given. */
  usageFlushMs?: number;
  /** Tests: an answer that is not as documented is an error. */
  validateResponses?: boolean;
}

/** What handlers without a caller need; `request.server.api`. */
export interface ApiContext extends ApiDeps {
  queue: QueueProbe;
  limits: Limits;
  /** Credentials that were seen a moment ago. */
  recent: RecentLookups;
  startedAtMs: number;
}

declare module 'fastify' {
  interface FastifyInstance {
    api: ApiContext;
  }
  interface FastifyRequest {
    client: Client;
    identity: Identity | null;
    /** No gate refused it: it counts as a request of its workspace. */
    isLetIn: boolean;
    /** Answered with what an earlier one did. */
    isReplay: boolean;
    /** What the request was let in with, where there are plans. */
    admission: Admission | null;
  }
  interface FastifyContextConfig {
    key?: string;
    operation?: Operation;
  }
}
