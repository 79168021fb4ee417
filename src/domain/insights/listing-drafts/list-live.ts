import type { z } from 'zod';
import { draftFields, type listingDrafts } from '#contract/listing-drafts.ts';
import type { Tx } from '#db/database.ts';
import { listNewestFields } from '#db/queries/keyword-field/keyword-field.ts';
import { listLiveTexts } from '#db/queries/listing-drafts/draft-versions.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { shownLocale } from './find-live.ts';

type LiveList = z.input<(typeof listingDrafts)['GET /apps/{id}/live-listings']['responses'][200]>;
export type LiveListing = LiveList['items'][number];

/** The stored texts of an app by locale. Throws not_found. */
export function listLiveListings(ctx: Ctx, appId: number): Promise<LiveList> {
  return inTenant(ctx, async (tx) => {
    const { store } = await getApp(tx, ctx, appId);
    const items = await loadLive(tx, ctx, { id: appId, store });
    return { items, nextCursor: null, total: items.length };
  });
}

/** Where several storefronts show a locale first, the first one counts. */
export async function loadLive(
  tx: Tx,
  { workspaceId }: Pick<Ctx, 'workspaceId'>,
  { id, store }: { id: number; store: StoreName },
): Promise<LiveListing[]> {
  const rows = await listLiveTexts(tx, workspaceId, id);
  const fields = new Map(
    (await listNewestFields(tx, workspaceId, id)).map((row) => [row.locale, row.normalized]),
  );
  const byLocale = new Map<string, LiveListing>();
  for (const row of rows) {
    const locale = shownLocale(store, row);
    if (locale === null || byLocale.has(locale)) continue;
    const shown = { ...row, promotionalText: null, keywordField: fields.get(locale) ?? null };
    const texts = Object.fromEntries(
      draftFields.flatMap((field) => (shown[field] === null ? [] : [[field, shown[field]]])),
    );
    byLocale.set(locale, {
      locale,
      country: row.country,
      takenAt: row.takenAt.toISOString(),
      texts,
    });
  }
  return [...byLocale.values()];
}
