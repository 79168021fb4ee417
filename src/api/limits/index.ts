import type { AttemptCounters } from '#domain/base/ports/attempt-counters.ts';
import type { RequestCounters } from '#domain/base/ports/request-counters.ts';
import { PlanLimits } from './plan-limits.ts';
import { RejectedCredentialLimiter } from './rejected-credential-limiter.ts';
import { SignInThrottle } from './sign-in-throttle.ts';
import { UsageCounter } from './usage-counter.ts';

export interface Limits {
  rejections: RejectedCredentialLimiter;
  signIn: SignInThrottle;
  usage: UsageCounter;
  /** Null when billing is off. */
  plan: PlanLimits | null;
}

export interface LimitsOptions {
  attempts: AttemptCounters;
  /** Set when billing is on. */
  requests: RequestCounters | undefined;
  nowMs: () => number;
}

export function createLimits({ attempts, requests, nowMs }: LimitsOptions): Limits {
  return {
    rejections: new RejectedCredentialLimiter(attempts, nowMs),
    signIn: new SignInThrottle(attempts),
    usage: new UsageCounter(),
    plan: requests ? new PlanLimits(requests) : null,
  };
}
