import type { z } from 'zod';
import { editableOfTag, type tagOperations, type tagRecord } from '#contract/tags.ts';
import { listTags as listTagRows, type TagRow } from '#db/queries/tags/tags.ts';
import { etagOf } from '#domain/base/assert-unchanged.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';

export type TagRecord = z.input<typeof tagRecord>;
export type TagList = z.input<(typeof tagOperations)['GET /tags']['responses'][200]>;

/** Every tag of the workspace's apps and live keywords, by name, on one page. */
export async function listTags(ctx: Ctx): Promise<TagList> {
  const rows = await inTenant(ctx, (tx) => listTagRows(tx, ctx.workspaceId));
  const items = rows.map(presentTag);
  return { items, nextCursor: null, total: items.length };
}

export const presentTag = (row: TagRow): TagRecord => ({
  ...row,
  etag: etagOf(row, editableOfTag),
});
