import type { ImportedRow } from '../../contract/import-rows.ts';
import type { Tx } from '../../db/database.ts';
import { insertApp, updateApp } from '../../db/queries/apps.ts';
import { findOrInsertListing, updateKeywordMarks } from '../../db/queries/imports.ts';
import { refreshListingDemand } from '../../db/queries/markets.ts';
import { requireRoomForApps } from '../apps/require-room.ts';
import { refreshBudget } from '../budget/refresh-budget.ts';
import type { Ctx } from '../context.ts';
import { invalid } from '../errors.ts';
import { acceptAppRefresh } from '../jobs/accept.ts';
import { followWanted } from '../keywords/add-keywords.ts';
import { findPhraseFault, normalisePhrase } from '../keywords/phrase.ts';
import { marketKey, withoutDoubles } from '../keywords/plan-addition.ts';
import { refuse } from '../keywords/read-wanted.ts';
import { changeKeywords } from '../keywords/update-keywords.ts';

/** Tracks an app from now on; its listing is read by a job. Throws invalid_request, quota_apps. */
export async function insertImportedApp(tx: Tx, ctx: Ctx, app: ImportedRow<'apps'>): Promise<number> {
  const { store, storeAppId } = app.listing;
  if (!ctx.stores[store].isStoreAppId(storeAppId)) throw invalid('apps.listing.storeAppId', 'an id of the store', storeAppId.slice(0, 100));
  const listingId = await findOrInsertListing(tx, store, storeAppId);
  const appId = await insertApp(tx, ctx.workspaceId, { listingId, primaryCountry: app.primary_country, tags: app.tags, createdAt: ctx.clock.now() });
  if (appId === undefined) throw invalid('apps.listing', 'each app once', storeAppId.slice(0, 100));
  await updateApp(tx, ctx.workspaceId, appId, { displayName: app.display_name, note: app.note });
  await refreshListingDemand(tx, [listingId]);
  await acceptAppRefresh(tx, ctx, { appId, listingId });
  await refreshBudget(tx, ctx);
  await requireRoomForApps(tx, ctx);
  return appId;
}

/** Follows keywords from today on, paused ones paused; the new id of each. Throws what adding keywords throws. */
export async function followKeywords(tx: Tx, ctx: Ctx, appId: number, rows: readonly ImportedRow<'keywords'>[]): Promise<[number, number][]> {
  const faults = rows.flatMap(({ id, phrase }) => findPhraseFault(`keywords.${id}.phrase`, phrase) ?? []);
  if (faults.length > 0) refuse(faults);
  const wanted = rows.map(({ phrase, country, depth, tags }) => ({ phrase: normalisePhrase(phrase), country, depth, tags }));
  const { added } = await followWanted(tx, ctx, appId, withoutDoubles(wanted));
  const made = new Map(added.map((keyword) => [marketKey(keyword), keyword.id]));
  const ids = rows.map((row, index): [number, number] => [row.id, made.get(marketKey(wanted[index]!))!]);
  await updateKeywordMarks(
    tx,
    ctx.workspaceId,
    rows.map(({ note, favorite }, index) => ({ id: ids[index]![1], note, favorite })),
  );
  const paused = rows.flatMap((row, index) => (row.paused ? [ids[index]![1]] : []));
  if (paused.length > 0) await changeKeywords(tx, ctx, { ids: paused, appId }, { paused: true });
  return ids;
}
