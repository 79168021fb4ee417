import { listApps as listAppRows } from '#db/queries/apps/apps.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readIdCursor, writeCursor } from '#domain/base/cursor.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { countKeywords } from './count-keywords.ts';
import { presentApp, presentCounts, type AppRecord } from './present-app.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';

export interface ListAppsInput {
  store?: StoreName | undefined;
  /** Part of a name, of the developer or of the store's id. */
  q?: string | undefined;
  tag?: string | undefined;
  archived?: boolean | undefined;
  limit: number;
  cursor?: string | undefined;
  withCounts: boolean;
}

/**
 * Lists the workspace's apps in the order in which they were added; archived ones only on request.
 * Throws invalid_cursor.
 */
export async function listApps(
  ctx: Ctx,
  input: ListAppsInput,
): Promise<{ items: AppRecord[]; nextCursor: string | null; total: number }> {
  assertStorable('q', input.q);
  assertStorable('tag', input.tag);
  const filter = {
    store: input.store,
    text: input.q,
    tag: input.tag,
    archived: input.archived ?? false,
  };
  const afterId = input.cursor === undefined ? 0 : readIdCursor('apps', input.cursor);
  return inTenant(ctx, async (tx) => {
    const { rows, total } = await listAppRows(tx, ctx.workspaceId, {
      ...filter,
      afterId,
      limit: input.limit + 1,
    });
    const page = rows.slice(0, input.limit);
    const last = rows.length > page.length ? page.at(-1) : undefined;
    const counts = input.withCounts
      ? await countKeywords(
          tx,
          ctx,
          page.map((row) => row.id),
        )
      : null;
    return {
      items: page.map((row) => ({
        ...presentApp(row, ctx.stores),
        ...(counts ? { counts: presentCounts(counts.get(row.id)) } : {}),
      })),
      nextCursor: last ? writeCursor('apps', [last.id]) : null,
      total,
    };
  });
}
