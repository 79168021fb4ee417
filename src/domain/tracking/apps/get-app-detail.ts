import type { z } from 'zod';
import type { snapshot } from '#contract/apps.ts';
import { findNewestReading } from '#db/queries/apps/apps.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { presentSnapshot, toListingSnapshot } from '../listings/listing-snapshot.ts';
import { countKeywords } from './count-keywords.ts';
import { getApp } from './get-app.ts';
import { presentApp, presentCounts, type AppRecord } from './present-app.ts';

export type AppDetail = AppRecord & { latestSnapshot?: z.input<typeof snapshot> | null };

/** An app, archived or not. The latest snapshot is of its primary country. Throws not_found. */
export async function getAppDetail(
  ctx: Ctx,
  appId: number,
  include: readonly ('latestSnapshot' | 'counts')[] = [],
): Promise<AppDetail> {
  return inTenant(ctx, async (tx) => {
    const row = await getApp(tx, ctx, appId);
    const detail: AppDetail = presentApp(row, ctx.stores);
    if (include.includes('counts'))
      detail.counts = presentCounts((await countKeywords(tx, ctx, [appId])).get(appId));
    if (include.includes('latestSnapshot')) {
      const newest = await findNewestReading(tx, ctx.workspaceId, appId);
      detail.latestSnapshot = newest
        ? presentSnapshot(toListingSnapshot(newest.snapshot, newest.day))
        : null;
    }
    return detail;
  });
}
