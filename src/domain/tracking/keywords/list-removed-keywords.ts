import type { z } from 'zod';
import type { keywords } from '#contract/keywords.ts';
import { findFollowedApp } from '#db/queries/keywords/keywords.ts';
import { countRemovedKeywords, listRemovedRows } from '#db/queries/keywords/removed-keywords.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { readListCursor, writeListCursor } from '#domain/base/instant-cursor.ts';

type Operation = (typeof keywords)['GET /apps/{id}/removed-keywords'];
type RemovedKeywords = z.input<Operation['responses'][200]>;

/** The removed keywords of an app, the newest removal first. Throws not_found. */
export function listRemovedKeywords(
  ctx: Ctx,
  appId: number,
  query: z.output<Operation['query']>,
): Promise<RemovedKeywords> {
  const list = `removed keywords ${appId}`;
  const after = query.cursor === undefined ? null : readListCursor(list, query.cursor);
  return inTenant(ctx, async (tx) => {
    if (!(await findFollowedApp(tx, ctx.workspaceId, appId))) throw notFound();
    const of = { appId, now: ctx.clock.now() };
    const page = { ...of, after, limit: query.limit + 1 };
    const rows = await listRemovedRows(tx, ctx.workspaceId, page);
    const items = rows.slice(0, query.limit);
    const last = rows.length > items.length ? items.at(-1) : undefined;
    return {
      items: items.map((row) => ({
        ...row,
        removedAt: row.removedAt.toISOString(),
        purgeAt: row.purgeAt.toISOString(),
      })),
      nextCursor: last ? writeListCursor(list, { at: last.removedAt, id: last.id }) : null,
      total: await countRemovedKeywords(tx, ctx.workspaceId, of),
    };
  });
}
