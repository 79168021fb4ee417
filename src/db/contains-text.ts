import { sql, type RawBuilder } from 'kysely';

/**
 * True where a text contains `part`, whatever their case. PostgreSQL folds both: JavaScript's rule
 * makes other characters of some uppercase ones. A final sigma is a sigma.
 */
export function containsText(text: RawBuilder<unknown>, part: string): RawBuilder<unknown> {
  const lower = (value: RawBuilder<unknown>) => sql`lower(${value} collate pg_c_utf8)`;
  // Only for searches with a sigma, because it takes longer than the rest.
  const fold = (value: RawBuilder<unknown>) =>
    /[Σσς]/.test(part) ? sql`replace(${lower(value)}, 'ς', 'σ')` : lower(value);
  return sql`position(${fold(sql`${part}::text`)} in ${fold(text)}) > 0`;
}
