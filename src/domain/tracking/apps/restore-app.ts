import { inTenant, type Ctx } from '#domain/base/context.ts';
import { unarchiveApp } from './archive-app.ts';
import { getApp } from './get-app.ts';
import { presentApp, type AppRecord } from './present-app.ts';

/**
 * Restores an archived app with its keywords; an active one is returned unchanged. Throws
 * not_found.
 */
export async function restoreApp(ctx: Ctx, appId: number): Promise<AppRecord> {
  return inTenant(ctx, async (tx) => {
    await unarchiveApp(tx, ctx, appId);
    return presentApp(await getApp(tx, ctx, appId), ctx.stores);
  });
}
