import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import type { Counters, Rule } from './counters.ts';

const minute = 60_000;
const perAddress: Rule = { limit: 10, windowMs: minute };
/** Asking whether one is signed in, and signing out: a page does it each time it is opened. */
const looksPerAddress: Rule = { limit: 120, windowMs: minute };
/** Links of mails: asking for one, and coming with one. */
const recoveriesPerAddress: Rule = { limit: 10, windowMs: 60 * minute };
const failuresPerAccountAndAddress: Rule = { limit: 10, windowMs: 15 * minute };
const failuresPerAccount: Rule = { limit: 100, windowMs: 60 * minute };
const requestRules = { attempt: perAddress, look: looksPerAddress, recovery: recoveriesPerAddress };

/** Attempts at a password, counted before they are tried and given back when they succeed: exact under concurrency. */
export class SignInThrottle {
  private readonly counters: Counters;

  constructor(counters: Counters) {
    this.counters = counters;
  }

  /** For every request to an operation of class `auth`. */
  countRequest(bucket: string, kind: keyof typeof requestRules, nowMs: number): void {
    refuseUnless(this.counters.take(`${kind} ${bucket}`, requestRules[kind], nowMs));
  }

  async countFailure<T>(account: string, bucket: string, now: () => Date, attempt: () => Promise<T>): Promise<T> {
    const name = createHash('sha256').update(account).digest('base64url');
    const counted: [string, Rule][] = [
      [`failures ${name} ${bucket}`, failuresPerAccountAndAddress],
      [`failures ${name}`, failuresPerAccount],
    ];
    const startedMs = now().getTime();
    for (const [key, rule] of counted) refuseUnless(this.counters.look(key, rule, startedMs));
    for (const [key, rule] of counted) this.counters.take(key, rule, startedMs);
    try {
      const result = await attempt();
      for (const [key, rule] of counted) this.counters.giveBack(key, rule, now().getTime());
      return result;
    } catch (error) {
      const failed = error instanceof AppError && error.code === 'unauthenticated';
      if (!failed) for (const [key, rule] of counted) this.counters.giveBack(key, rule, now().getTime());
      throw error;
    }
  }
}

function refuseUnless(verdict: ReturnType<Counters['take']>): void {
  if (!verdict.allowed) throw new AppError('auth_throttled', undefined, { retryAfterSeconds: verdict.retryAfterSeconds });
}
