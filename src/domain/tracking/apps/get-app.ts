import type { Tx } from '#db/database.ts';
import { findApp, type AppRow } from '#db/queries/apps/apps.ts';
import type { Ctx } from '#domain/base/context.ts';
import { invalid, notFound } from '#domain/base/errors.ts';

/** Throws not_found. */
export async function getApp(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId'>,
  appId: number,
): Promise<AppRow> {
  const row = await findApp(tx, ctx.workspaceId, appId);
  if (!row) throw notFound();
  return row;
}

/**
 * Throws not_found, and invalid_request for an archived app, because no requests are spent on it.
 */
export async function getActiveApp(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId'>,
  appId: number,
): Promise<AppRow> {
  const row = await getApp(tx, ctx, appId);
  if (row.archivedAt) throw invalid('id', 'the app is archived; restore it first', appId);
  return row;
}
