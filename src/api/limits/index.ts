import { MemoryCounters } from './counters.ts';
import { Rejections } from './rejections.ts';
import { SignInThrottle } from './sign-in.ts';
import { UsageCounter } from './usage.ts';

export interface Limits {
  rejections: Rejections;
  signIn: SignInThrottle;
  usage: UsageCounter;
}

export function createLimits(): Limits {
  return { rejections: new Rejections(), signIn: new SignInThrottle(new MemoryCounters()), usage: new UsageCounter() };
}
