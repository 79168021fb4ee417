import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface AutocompleteList {
  prefix: string;
  /** In the order of the store. */
  terms: string[];
  readAt: Date;
}

interface Storefront {
  store: string;
  country: string;
}

/** The lists of these prefixes that the workspace requested since an instant. */
export async function listAutocompleteLists(
  tx: Tx,
  workspaceId: number,
  { store, country, prefixes, since }: Storefront & { prefixes: readonly string[]; since: Date },
): Promise<AutocompleteList[]> {
  const { rows } = await sql<Row<'list-autocomplete-lists', AutocompleteList>>`
    /* list-autocomplete-lists */
    select prefix, terms, read_at as "readAt" from autocomplete_lists
    where workspace_id = ${workspaceId} and store = ${store} and country = ${country}
      and prefix = any(${[...prefixes]}::text[]) and read_at >= ${since}`.execute(tx);
  return rows;
}

/** Keeps lists, and deletes those that were read before an instant. */
export async function keepAutocompleteLists(
  tx: Tx,
  workspaceId: number,
  {
    store,
    country,
    lists,
    before,
  }: Storefront & { lists: readonly AutocompleteList[]; before: Date },
): Promise<void> {
  await tx
    .deleteFrom('autocomplete_lists')
    .where('workspace_id', '=', workspaceId)
    .where('read_at', '<', before)
    .execute();
  await tx
    .insertInto('autocomplete_lists')
    .values(
      lists.map(({ prefix, terms, readAt }) => ({
        workspace_id: workspaceId,
        store,
        country,
        prefix,
        terms,
        read_at: readAt,
      })),
    )
    .onConflict((kept) =>
      kept.columns(['workspace_id', 'store', 'country', 'prefix']).doUpdateSet((row) => ({
        terms: row.ref('excluded.terms'),
        read_at: row.ref('excluded.read_at'),
      })),
    )
    .execute();
}
