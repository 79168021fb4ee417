import { deleteTagColor, listTags, replaceTag, upsertTagColor } from '../../db/queries/tags.ts';
import { renameTagInRules, requireNoRuleOf } from '../alerts/tags-of-rules.ts';
import { requireStorable } from '../apps/read-own-words.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import type { TagRecord } from './list-tags.ts';

/**
 * Renames a tag wherever it stands, in alert rules too, and sets its colour; a colour that is not given goes along with the name, unless the
 * other name has one. Throws not_found for a tag that nothing carries.
 */
export function changeTag(
  ctx: Ctx,
  name: string,
  change: { name?: string | undefined; color?: string | null | undefined },
): Promise<TagRecord> {
  requireStorable('name', change.name);
  const newName = change.name ?? name;
  return inTenant(ctx, async (tx) => {
    const known = await listTags(tx, ctx.workspaceId, [name, newName]);
    const tag = known.find((row) => row.name === name);
    if (!tag) throw notFound();
    if (newName !== name) {
      await replaceTag(tx, ctx.workspaceId, name, newName);
      await renameTagInRules(tx, ctx.workspaceId, name, newName);
      await deleteTagColor(tx, ctx.workspaceId, name);
    }
    const color =
      change.color === undefined
        ? (known.find((row) => row.name === newName)?.color ?? tag.color)
        : change.color;
    await upsertTagColor(tx, ctx.workspaceId, newName, color);
    const [changed] = await listTags(tx, ctx.workspaceId, [newName]);
    if (!changed) throw notFound();
    return changed;
  });
}

/** Takes a tag off everything that carries it. Throws not_found, and invalid_request for one that an alert rule names. */
export function deleteTag(ctx: Ctx, name: string): Promise<{ name: string; deleted: true }> {
  return inTenant(ctx, async (tx) => {
    const [tag] = await listTags(tx, ctx.workspaceId, [name]);
    if (!tag) throw notFound();
    await requireNoRuleOf(tx, ctx.workspaceId, name);
    await replaceTag(tx, ctx.workspaceId, name, null);
    await deleteTagColor(tx, ctx.workspaceId, name);
    return { name, deleted: true };
  });
}
