import type { Tx } from '#db/database.ts';
import { findApp, lockApp, updateAppRow } from '#db/queries/apps/apps.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { assertUnchanged } from '#domain/base/assert-unchanged.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { archiveApp, unarchiveApp } from './archive-app.ts';
import { getApp } from './get-app.ts';
import { presentApp, type AppRecord } from './present-app.ts';
import { parseTags, assertStorable } from '#domain/base/text/parse-tags.ts';

export interface UpdateAppInput {
  displayName?: string | null | undefined;
  tags?: string[] | undefined;
  note?: string | null | undefined;
  archived?: boolean | undefined;
  /** The same product in the other store. */
  linkedAppId?: number | null | undefined;
}

/**
 * Updates how the workspace sees the app, archived or not; all or nothing. Throws not_found,
 * precondition_failed, invalid_request.
 */
export async function updateApp(
  ctx: Ctx,
  appId: number,
  change: UpdateAppInput,
): Promise<AppRecord> {
  assertStorable('displayName', change.displayName);
  assertStorable('note', change.note);
  const { displayName, note, linkedAppId } = change;
  const tags = parseTags(change.tags);
  return inTenant(ctx, async (tx) => {
    await lockApp(tx, ctx.workspaceId, appId);
    const app = await getApp(tx, ctx, appId);
    assertUnchanged(ctx, presentApp(app, ctx.stores));
    if (typeof linkedAppId === 'number') await requireOtherStore(tx, ctx, app.store, linkedAppId);
    if (change.archived === true) await archiveApp(tx, ctx, appId);
    if (change.archived === false) await unarchiveApp(tx, ctx, appId);
    await updateAppRow(tx, ctx.workspaceId, appId, { displayName, tags, note, linkedAppId });
    const fields = Object.keys(change).filter((name) => name !== 'archived');
    if (fields.length > 0)
      await writeAudit(tx, ctx, {
        action: 'app.changed',
        subject: `app ${appId}`,
        detail: { fields: fields.join(', ') },
      });
    return presentApp(await getApp(tx, ctx, appId), ctx.stores);
  });
}

async function requireOtherStore(
  tx: Tx,
  ctx: Ctx,
  store: string,
  linkedAppId: number,
): Promise<void> {
  const linked = await findApp(tx, ctx.workspaceId, linkedAppId);
  if (!linked) throw notFound();
  if (linked.store === store)
    throw invalid('linkedAppId', 'an app of the other store', linkedAppId);
}
