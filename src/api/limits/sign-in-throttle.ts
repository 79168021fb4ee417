import { createHash } from 'node:crypto';
import type {
  AttemptCounters,
  AttemptKind,
  AttemptResult,
} from '#domain/base/ports/attempt-counters.ts';
import { AppError } from '#domain/base/errors.ts';

const minute = 60_000;
const requestKinds = {
  attempt: { name: 'attempt', limit: 10, windowMs: minute },
  /** Sign-in state and sign-out, which a page requests each time it is opened. */
  look: { name: 'look', limit: 120, windowMs: minute },
  /** Shared reports, which read a whole app. */
  report: { name: 'report', limit: 30, windowMs: minute },
  /** Mailed links: requesting one and using one. */
  recovery: { name: 'recovery', limit: 10, windowMs: 60 * minute },
} as const satisfies Record<string, AttemptKind>;
const ownRequest: AttemptKind = { name: 'own-request', limit: 60, windowMs: minute };
const failureFromAddress: AttemptKind = { name: 'failure-from', limit: 10, windowMs: 15 * minute };
const failureForAccount: AttemptKind = { name: 'failure', limit: 100, windowMs: 60 * minute };

/**
 * Password attempts are counted before the check and released when they succeed, so the count is
 * exact under concurrency.
 */
export class SignInThrottle {
  private readonly counters: AttemptCounters;

  constructor(counters: AttemptCounters) {
    this.counters = counters;
  }

  /** Applies to every operation of class `auth`. */
  async countRequest(bucket: string, kind: keyof typeof requestKinds): Promise<void> {
    refuseUnless(await this.counters.take(requestKinds[kind], bucket));
  }

  /** Applies to what a signed-in person does outside the limits of plans. */
  async countOwnRequest(userId: number): Promise<void> {
    refuseUnless(
      await this.counters.take(ownRequest, String(userId)),
      `An account may send ${ownRequest.limit} of these requests in a minute.`,
    );
  }

  async countFailure<T>(account: string, bucket: string, attempt: () => Promise<T>): Promise<T> {
    const counted = await this.takeFailure(
      createHash('sha256').update(account).digest('base64url'),
      bucket,
    );
    const release = () => Promise.all(counted.map((taken) => this.counters.release(taken)));
    try {
      const result = await attempt();
      await release();
      return result;
    } catch (error) {
      const failed = error instanceof AppError && error.code === 'unauthenticated';
      if (!failed) await release();
      throw error;
    }
  }

  /** Consumes from both windows or from neither. */
  private async takeFailure(account: string, bucket: string): Promise<AttemptResult[]> {
    const fromAddress = await this.counters.take(failureFromAddress, `${account} ${bucket}`);
    refuseUnless(fromAddress);
    const forAccount = await this.counters.take(failureForAccount, account);
    if (!forAccount.allowed) await this.counters.release(fromAddress);
    refuseUnless(forAccount);
    return [fromAddress, forAccount];
  }
}

function refuseUnless({ allowed, restMs }: AttemptResult, message?: string): void {
  if (!allowed)
    throw new AppError('auth_throttled', message, {
      retryAfterSeconds: Math.max(1, Math.ceil(restMs / 1_000)),
    });
}
