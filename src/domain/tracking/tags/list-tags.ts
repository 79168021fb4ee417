import type { z } from 'zod';
import type { tagOperations, tagRecord } from '#contract/tags.ts';
import { listTags as listTagRows } from '#db/queries/tags/tags.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';

export type TagRecord = z.input<typeof tagRecord>;
export type TagList = z.input<(typeof tagOperations)['GET /tags']['responses'][200]>;

/** Every tag of the workspace's apps and live keywords, by name, on one page. */
export async function listTags(ctx: Ctx): Promise<TagList> {
  const items = await inTenant(ctx, (tx) => listTagRows(tx, ctx.workspaceId));
  return { items, nextCursor: null, total: items.length };
}
