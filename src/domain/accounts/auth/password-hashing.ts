import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { AppError } from '#domain/base/errors.ts';

/** OWASP's minimum: 19 MiB, two passes, one lane. It takes about 10 ms. */
const strength = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const prefix = '$argon2id$v=19$m=19456,t=2,p=1$';
const waitingMax = 50;

/** At most two hashes at once per process, so that a flood of sign-ins does not take both cores. */
const hashing = pLimit(2);

async function withinLimit<T>(work: () => Promise<T>): Promise<T> {
  if (hashing.pendingCount >= waitingMax)
    throw new AppError('unavailable', 'Too many people are signing in right now.', {
      retryAfterSeconds: 2,
    });
  return hashing(work);
}

/** The PHC text of argon2id over the password's exact bytes, neither normalized nor truncated. */
export function hashPassword(password: string): Promise<string> {
  return withinLimit(() => hash(Buffer.from(password), strength));
}

// The hash of a random password at equal cost; created once.
let dummy: Promise<string> | null = null;

/** Takes equal time for an unknown account (`stored` null) and a known one. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hash(crypto.getRandomValues(new Uint8Array(32)), strength);
  const against = stored ?? (await dummy);
  const matches = await withinLimit(() =>
    verify(against, Buffer.from(password)).catch(() => false),
  );
  return matches && stored !== null;
}

/** A hash with older, weaker parameters is replaced when its owner signs in. */
export function isWeakHash(stored: string): boolean {
  return !stored.startsWith(prefix);
}
