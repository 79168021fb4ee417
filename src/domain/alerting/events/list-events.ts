import type { z } from 'zod';
import type { EventObject, events } from '#contract/events.ts';
import { countEvents, listEventBodies, type EventFilter } from '#db/queries/events/events.ts';
import { parseExact } from '#lib/json.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readIdCursor, writeCursor } from '#domain/base/cursor.ts';

type Query = z.output<(typeof events)['GET /events']['query']>;

/** Events of this workspace by sequence number. */
export function listEvents(
  ctx: Ctx,
  query: Query,
): Promise<{ items: EventObject[]; nextCursor: string | null; total: number }> {
  const list = `events ${query.order}`;
  const past =
    query.cursor === undefined ? null : readIdCursor(list, query.cursor, Number.MAX_SAFE_INTEGER);
  const filter: EventFilter = { types: query.type, appId: query.appId, ...readSince(query.since) };
  return inTenant(ctx, async (tx) => {
    const rows = await listEventBodies(tx, ctx.workspaceId, {
      ...filter,
      past,
      order: query.order,
      limit: query.limit + 1,
    });
    const page = rows.slice(0, query.limit);
    return {
      items: page.map((row) => parseExact(row.body) as EventObject),
      nextCursor: rows.length > query.limit ? writeCursor(list, [page.at(-1)!.sequence]) : null,
      total: await countEvents(tx, ctx.workspaceId, filter),
    };
  });
}

function readSince(since: string | undefined): Pick<EventFilter, 'afterSequence' | 'from'> {
  if (since === undefined) return { afterSequence: null, from: null };
  return since.includes('T')
    ? { afterSequence: null, from: new Date(since) }
    : { afterSequence: Number(since), from: null };
}
