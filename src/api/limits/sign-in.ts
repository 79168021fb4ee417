import { createHash } from 'node:crypto';
import type {
  AttemptCounters,
  AttemptKind,
  AttemptTaken,
} from '../../domain/accounts/attempt-counters.ts';
import { AppError } from '../../domain/errors.ts';

const minute = 60_000;
const requestKinds = {
  attempt: { name: 'attempt', limit: 10, windowMs: minute },
  /** Asking whether one is signed in, and signing out: a page does it each time it is opened. */
  look: { name: 'look', limit: 120, windowMs: minute },
  /** Links of mails: asking for one, and coming with one. */
  recovery: { name: 'recovery', limit: 10, windowMs: 60 * minute },
} as const satisfies Record<string, AttemptKind>;
const failureFromAddress: AttemptKind = { name: 'failure-from', limit: 10, windowMs: 15 * minute };
const failureForAccount: AttemptKind = { name: 'failure', limit: 100, windowMs: 60 * minute };

/** Attempts at a password, counted before they are tried and given back when they succeed: exact under concurrency. */
export class SignInThrottle {
  private readonly counters: AttemptCounters;

  constructor(counters: AttemptCounters) {
    this.counters = counters;
  }

  /** For every request to an operation of class `auth`. */
  async countRequest(bucket: string, kind: keyof typeof requestKinds): Promise<void> {
    refuseUnless(await this.counters.take(requestKinds[kind], bucket));
  }

  async countFailure<T>(account: string, bucket: string, attempt: () => Promise<T>): Promise<T> {
    const counted = await this.takeFailure(
      createHash('sha256').update(account).digest('base64url'),
      bucket,
    );
    const giveBack = () => Promise.all(counted.map((taken) => this.counters.giveBack(taken)));
    try {
      const result = await attempt();
      await giveBack();
      return result;
    } catch (error) {
      const failed = error instanceof AppError && error.code === 'unauthenticated';
      if (!failed) await giveBack();
      throw error;
    }
  }

  /** From both windows or from none. */
  private async takeFailure(account: string, bucket: string): Promise<AttemptTaken[]> {
    const fromAddress = await this.counters.take(failureFromAddress, `${account} ${bucket}`);
    refuseUnless(fromAddress);
    const forAccount = await this.counters.take(failureForAccount, account);
    if (!forAccount.took) await this.counters.giveBack(fromAddress);
    refuseUnless(forAccount);
    return [fromAddress, forAccount];
  }
}

function refuseUnless({ took, restMs }: AttemptTaken): void {
  if (!took)
    throw new AppError('auth_throttled', undefined, {
      retryAfterSeconds: Math.max(1, Math.ceil(restMs / 1_000)),
    });
}
