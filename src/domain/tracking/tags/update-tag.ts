import { deleteTagColor, listTags, replaceTag, upsertTagColor } from '#db/queries/tags/tags.ts';
import { lockSettings } from '#db/queries/settings/settings.ts';
import { assertUnchanged } from '#domain/base/assert-unchanged.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { renameTagInViews } from '../views/rename-tag-in-views.ts';
import { presentTag, type TagRecord } from './list-tags.ts';

/**
 * Renames a tag everywhere, alert rules and saved views included, and sets its colour; an omitted
 * colour moves with the name, unless the new name has one. Throws not_found for an unused tag, and
 * precondition_failed.
 */
export function updateTag(
  ctx: Ctx,
  name: string,
  change: { name?: string | undefined; color?: string | null | undefined },
): Promise<TagRecord> {
  assertStorable('name', change.name);
  const newName = change.name ?? name;
  return inTenant(ctx, async (tx) => {
    // A tag has no row of its own that could be locked.
    await lockSettings(tx, ctx.workspaceId);
    const known = await listTags(tx, ctx.workspaceId, [name, newName]);
    const tag = known.find((row) => row.name === name);
    if (!tag) throw notFound();
    assertUnchanged(ctx, tag);
    if (newName !== name) {
      await replaceTag(tx, ctx.workspaceId, name, newName);
      await ctx.tagReferences.rename(tx, ctx.workspaceId, name, newName);
      await renameTagInViews(tx, ctx.workspaceId, name, newName);
      await deleteTagColor(tx, ctx.workspaceId, name);
    }
    const color =
      change.color === undefined
        ? (known.find((row) => row.name === newName)?.color ?? tag.color)
        : change.color;
    await upsertTagColor(tx, ctx.workspaceId, newName, color);
    const [changed] = await listTags(tx, ctx.workspaceId, [newName]);
    if (!changed) throw notFound();
    return presentTag(changed);
  });
}

/**
 * Removes a tag from everything. Throws not_found, and invalid_request for a tag that an alert rule
 * uses.
 */
export function deleteTag(ctx: Ctx, name: string): Promise<{ name: string; deleted: true }> {
  return inTenant(ctx, async (tx) => {
    const [tag] = await listTags(tx, ctx.workspaceId, [name]);
    if (!tag) throw notFound();
    await ctx.tagReferences.assertUnused(tx, ctx.workspaceId, name);
    await replaceTag(tx, ctx.workspaceId, name, null);
    await deleteTagColor(tx, ctx.workspaceId, name);
    return { name, deleted: true };
  });
}
