import { isUtcDay, type UtcDay } from '#lib/dates.ts';

/** The state in a continuation token of the simulator. */
export interface Continuation {
  phrase: string;
  country: string;
  day: UtcDay;
  offset: number;
}

/** Plain base64url, like the real tokens: libraries put them into request bodies unescaped. */
export function writeToken(continuation: Continuation): string {
  const { phrase, country, day, offset } = continuation;
  return Buffer.from(JSON.stringify(['sim', country, day, offset, phrase])).toString('base64url');
}

/** Null for a token that the simulator did not write. */
export function readToken(token: unknown): Continuation | null {
  if (typeof token !== 'string' || !/^[\w-]{8,4000}$/.test(token)) return null;
  try {
    const [mark, country, day, offset, phrase] = JSON.parse(
      Buffer.from(token, 'base64url').toString(),
    ) as unknown[];
    if (mark !== 'sim' || typeof country !== 'string' || typeof phrase !== 'string') return null;
    if (typeof day !== 'string' || !isUtcDay(day) || typeof offset !== 'number') return null;
    return { phrase, country, day, offset };
  } catch {
    return null;
  }
}
