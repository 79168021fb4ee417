import type { RequestCounters } from '../../domain/billing/request-counters.ts';
import { MemoryCounters } from './counters.ts';
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

export function createLimits(counters?: RequestCounters): Limits {
  return {
    rejections: new Rejections(),
    signIn: new SignInThrottle(new MemoryCounters()),
    usage: new UsageCounter(),
    plan: counters ? new PlanLimits(counters) : null,
  };
}
