import { sql, type RawBuilder } from 'kysely';
import { foldsFor } from '#lib/includes-text.ts';

/**
 * True where a text contains `part`, whatever their case, apostrophes, white space and widths.
 * PostgreSQL folds both: JavaScript's rule makes other characters of some uppercase ones.
 */
export function containsText(text: RawBuilder<unknown>, part: string): RawBuilder<unknown> {
  const composed = part.normalize('NFKC');
  const fold = (value: RawBuilder<unknown>) =>
    foldsFor(composed).reduce<RawBuilder<unknown>>(
      (folded, { pattern, by }) => sql`regexp_replace(${folded}, ${pattern.source}, ${by}, 'g')`,
      sql`lower(${value} collate pg_c_utf8)`,
    );
  // Most texts are normalized, which takes less time to see than to do again.
  const normalized = sql`case when ${text} is nfkc normalized then ${text}
    else normalize(${text}, NFKC) end`;
  return sql`position(${fold(sql`${composed}::text`)} in ${fold(sql`(${normalized})`)}) > 0`;
}
