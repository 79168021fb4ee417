import type { AttemptCounters } from '../../domain/accounts/attempt-counters.ts';
import type { RequestCounters } from '../../domain/billing/request-counters.ts';
import { PlanLimits } from './plan.ts';
import { Rejections } from './rejections.ts';
import { SignInThrottle } from './sign-in.ts';
import { UsageCounter } from './usage.ts';

export interface Limits {
  rejections: Rejections;
  signIn: SignInThrottle;
  usage: UsageCounter;
  /** Null where there are no plans. */
  plan: PlanLimits | null;
}

export interface LimitsOptions {
  attempts: AttemptCounters;
  /** Where there are plans. */
  requests: RequestCounters | undefined;
  nowMs: () => number;
}

export function createLimits({ attempts, requests, nowMs }: LimitsOptions): Limits {
  return {
    rejections: new Rejections(attempts, nowMs),
    signIn: new SignInThrottle(attempts),
    usage: new UsageCounter(),
    plan: requests ? new PlanLimits(requests) : null,
  };
}
