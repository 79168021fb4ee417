import { inTenant, type Ctx } from '../context.ts';
import { unarchiveApp } from './archive-app.ts';
import { getApp } from './find-app.ts';
import { presentApp, type AppRecord } from './present-app.ts';

/** Brings an archived app back with its keywords; an app that is not archived is answered as it is. Throws not_found. */
export async function restoreApp(ctx: Ctx, appId: number): Promise<AppRecord> {
  return inTenant(ctx, async (tx) => {
    await unarchiveApp(tx, ctx, appId);
    return presentApp(await getApp(tx, ctx, appId), ctx.stores);
  });
}
