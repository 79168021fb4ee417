import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#db/database.ts';

/** The name of `listings l` in a country's storefront; null where it was not read there. */
export const nameIn = (country: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  case when l.named_in = ${country} then l.name else coalesce((
    select n.name from listing_names n where n.listing_id = l.id and n.country = ${country}
  ), case when l.named_in is null then l.name end) end`;

/** The name of `listings l` in the first of these countries where it was read. */
export function nameInFirstOf(countries: readonly string[]): RawBuilder<unknown> {
  const all = sql`${[...countries]}::text[]`;
  return sql`case when l.named_in = ${countries[0]} then l.name else (
    select shown.name from (
      select n.country, n.name from listing_names n where n.listing_id = l.id
      union all select l.named_in, l.name
    ) shown
    where shown.name is not null and (shown.country is null or shown.country = any(${all}))
    order by array_position(${all}, shown.country) nulls last limit 1
  ) end`;
}

/**
 * Writes names as a country's storefront shows them, where they differ from what is known, once a
 * day. Locked rows of `listings` are skipped.
 */
export async function upsertListingNames(
  db: Db | Tx,
  reading: { country: string; day: string },
  names: readonly { listingId: number; name: string }[],
): Promise<void> {
  const { country, day } = reading;
  await sql`/* upsert-listing-names */
    with given as (
      select g.id, g.name, l.named_in
      from unnest(${names.map(({ listingId }) => listingId)}::int[],
        ${names.map(({ name }) => name)}::text[]) as g(id, name) join listings l on l.id = g.id
    ), written as (
      insert into listing_names as n (listing_id, country, name, read_on)
      select id, ${country}, name, ${day}::date from given
      where named_in is distinct from ${country}
      order by id
      on conflict (listing_id, country) do update
        set name = excluded.name, read_on = excluded.read_on
        where n.name is null or n.name <> excluded.name and n.read_on < excluded.read_on
    ), free as (
      select g.id, g.name from given g join listings l on l.id = g.id
      where g.named_in = ${country} and l.name <> g.name and l.named_on < ${day}::date
      order by l.id for no key update of l skip locked
    )
    update listings l set name = f.name, named_on = ${day}::date
    from free f where l.id = f.id`.execute(db);
}
