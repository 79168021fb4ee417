import {
  insertImportedDrafts,
  insertImportedVersions,
} from '#db/queries/imports/imported-drafts.ts';
import { upsertOverride } from '#db/queries/storefront-locales/storefront-locales.ts';
import type { Restore } from './import-run.ts';

export const restoreListingDrafts: Restore<'listing_drafts'> = async ({ tx, ctx, ids }, rows) => {
  const drafts = rows.map(({ app_id, name, is_current, created_at }) => ({
    appId: ids.of('app', app_id),
    name,
    isCurrent: is_current,
    createdAt: created_at,
  }));
  ids.add('draft', rows, await insertImportedDrafts(tx, ctx.workspaceId, drafts));
  return rows.length;
};

/** All versions, in order. */
export const restoreDraftVersions: Restore<'listing_draft_versions'> = async (
  { tx, ctx, ids },
  rows,
) => {
  const versions = rows.map(({ draft_id, locale, texts, saved_at }) => ({
    draftId: ids.of('draft', draft_id),
    locale,
    texts,
    savedAt: saved_at,
  }));
  await insertImportedVersions(tx, ctx.workspaceId, versions);
  return rows.length;
};

/** A row of the file replaces the workspace's own. */
export const restoreStorefrontLocales: Restore<'storefront_locale_overrides'> = async (
  { tx, ctx },
  rows,
) => {
  for (const { country, locale, enabled, note, saved_at } of rows) {
    const savedAt = new Date(saved_at);
    await upsertOverride(tx, ctx.workspaceId, { country, locale, enabled, note, savedAt });
  }
  return rows.length;
};
