import { hash, verify } from '@node-rs/argon2';
import { Turns } from '../../lib/turns.ts';
import { AppError } from '../errors.ts';

/** OWASP's floor: 19 MiB, two passes, one lane. 10 ms here. */
const strength = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const prefix = '$argon2id$v=19$m=19456,t=2,p=1$';
const waitingMax = 50;

/** At most two hashes at once per process: a flood of sign-ins must not take both cores from everybody else. */
const turns = new Turns(2);

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (turns.waiting >= waitingMax)
    throw new AppError('unavailable', 'Too many people are signing in right now.', {
      retryAfterSeconds: 2,
    });
  return turns.take(work);
}

/** PHC text of argon2id; the password's exact bytes, nothing normalised or cut off. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(Buffer.from(password), strength));
}

// Made once, with the same cost, of a password nobody has.
let dummy: Promise<string> | null = null;

/** Takes as long for a person who does not exist (`stored` null) as for one who does. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hash(crypto.getRandomValues(new Uint8Array(32)), strength);
  const against = stored ?? (await dummy);
  const matches = await inTurn(() => verify(against, Buffer.from(password)).catch(() => false));
  return matches && stored !== null;
}

/** A hash of an older, weaker setting is replaced when its owner signs in. */
export function isWeakHash(stored: string): boolean {
  return !stored.startsWith(prefix);
}
