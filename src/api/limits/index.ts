import { MemoryCounters } from './counters.ts';
import { Rejections } from './rejections.ts';
import { SignInThrottle } from './sign-in.ts';

export interface Limits {
  rejections: Rejections;
  signIn: SignInThrottle;
}

export function createLimits(): Limits {
  return { rejections: new Rejections(), signIn: new SignInThrottle(new MemoryCounters()) };
}
