import type { z } from 'zod';
import { editableOfView, type savedView, type views } from '#contract/views.ts';
import {
  countOtherViews,
  deleteView as deleteViewRow,
  listViews as listViewRows,
  lockView,
  updateView as updateViewRow,
  upsertView,
  type ViewRow,
} from '#db/queries/views/views.ts';
import { assertUnchanged, etagOf } from '#domain/base/assert-unchanged.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { getApp } from '../apps/get-app.ts';

type SavedView = z.input<typeof savedView>;
type NewView = z.output<(typeof views)['POST /views']['body']>;
type ViewUpdate = z.output<(typeof views)['PATCH /views/{id}']['body']>;

/** The maximum of views in a workspace. */
const maxViews = 200;

type ViewList = z.input<(typeof views)['GET /views']['responses'][200]>;

export function listViews(ctx: Ctx): Promise<ViewList> {
  return inTenant(ctx, async (tx) => {
    const items = (await listViewRows(tx, ctx.workspaceId)).map(present);
    return { items, nextCursor: null, total: items.length };
  });
}

/**
 * Saves a view, or renames the one with the same path. Throws not_found for an unknown app, and
 * invalid_request for text that cannot be stored or one view too many.
 */
export function saveView(ctx: Ctx, { appId = null, pinned, ...view }: NewView): Promise<SavedView> {
  assertStorable('name', view.name);
  assertStorable('path', view.path);
  return inTenant(ctx, async (tx) => {
    if (appId !== null) await getApp(tx, ctx, appId);
    const others = await countOtherViews(tx, ctx.workspaceId, view.path);
    if (others >= maxViews)
      throw invalid(
        'path',
        `at most ${maxViews} saved views; delete one first`,
        others + 1,
        maxViews,
      );
    const createdAt = ctx.clock.now();
    return present(await upsertView(tx, ctx.workspaceId, { ...view, appId, pinned, createdAt }));
  });
}

/**
 * Omitted members stay unchanged. Throws not_found, precondition_failed, and invalid_request like
 * `saveView`.
 */
export function updateView(ctx: Ctx, id: number, change: ViewUpdate): Promise<SavedView> {
  assertStorable('name', change.name);
  return inTenant(ctx, async (tx) => {
    const current = await lockView(tx, ctx.workspaceId, id);
    if (!current) throw notFound();
    assertUnchanged(ctx, current);
    return present((await updateViewRow(tx, ctx.workspaceId, id, change))!);
  });
}

/** Throws not_found. */
export async function deleteView(ctx: Ctx, id: number): Promise<{ id: number; deleted: true }> {
  if (!(await inTenant(ctx, (tx) => deleteViewRow(tx, ctx.workspaceId, id)))) throw notFound();
  return { id, deleted: true };
}

const present = ({ createdAt, ...row }: ViewRow): SavedView => ({
  ...row,
  createdAt: createdAt.toISOString(),
  etag: etagOf(row, editableOfView),
});
