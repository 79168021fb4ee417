import { sql } from 'kysely';

/** The market of a keyword as one text: two letters of the country, the device, the phrase. */
export const packedMarket = sql`country || device || ' ' || phrase`;

/** A device has no space. */
export function unpackMarket(text: string): { country: string; device: string; phrase: string } {
  const end = text.indexOf(' ', 2);
  return { country: text.slice(0, 2), device: text.slice(2, end), phrase: text.slice(end + 1) };
}
