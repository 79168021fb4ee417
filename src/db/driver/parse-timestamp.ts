import pg from 'pg';

const parseAny: (text: string) => Date | number = pg.types.getTypeParser(
  pg.types.builtins.TIMESTAMPTZ,
);
/** From `2026-11-27 20:56:33+00` to six digits of a second. */
const [shortest, longest] = [22, 29];

/**
 * Sessions are in UTC, so an instant is written like `2026-11-27 20:56:33.548123+00`. The driver's
 * parser takes three times as long; it reads everything else, such as infinity and other
 * millennia.
 */
export function parseTimestamp(text: string): Date | number {
  const isShort = text.length >= shortest && text.length <= longest;
  return isShort && text.startsWith('2') && text.endsWith('+00')
    ? new Date(`${text.slice(0, -3)}Z`)
    : parseAny(text);
}
