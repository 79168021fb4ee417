import type { Tx } from '#db/database.ts';

export interface OverrideRow {
  country: string;
  locale: string;
  enabled: boolean;
  note: string | null;
  savedAt: Date;
}

export async function listOverrides(
  tx: Tx,
  workspaceId: number,
  country: string | null,
): Promise<OverrideRow[]> {
  return tx
    .selectFrom('storefront_locale_overrides')
    .select(['country', 'locale', 'enabled', 'note', 'saved_at as savedAt'])
    .where('workspace_id', '=', workspaceId)
    .$if(country !== null, (query) => query.where('country', '=', country!))
    .orderBy('country')
    .orderBy('locale')
    .execute();
}

export async function upsertOverride(
  tx: Tx,
  workspaceId: number,
  { savedAt, ...row }: OverrideRow,
): Promise<void> {
  await tx
    .insertInto('storefront_locale_overrides')
    .values({ workspace_id: workspaceId, saved_at: savedAt, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'country', 'locale'])
        .doUpdateSet({ enabled: row.enabled, note: row.note, saved_at: savedAt }),
    )
    .execute();
}

export async function deleteOverride(
  tx: Tx,
  workspaceId: number,
  { country, locale }: { country: string; locale: string },
): Promise<void> {
  await tx
    .deleteFrom('storefront_locale_overrides')
    .where('workspace_id', '=', workspaceId)
    .where('country', '=', country)
    .where('locale', '=', locale)
    .execute();
}
