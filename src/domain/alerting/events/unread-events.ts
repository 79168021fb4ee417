import type { z } from 'zod';
import type { events } from '#contract/events.ts';
import { countUnreadEvents, markEventsRead } from '#db/queries/events/event-reads.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';

export type UnreadEvents = z.input<(typeof events)['GET /events/unread']['responses'][200]>;

/** The caller's unread events. */
export function countUnread(ctx: Ctx): Promise<UnreadEvents> {
  return inTenant(ctx, (tx) => countUnreadEvents(tx, ctx.workspaceId, ctx.actor.userId));
}

/** Marks the caller's events up to `sequence` as read. */
export function markRead(ctx: Ctx, sequence: number): Promise<UnreadEvents> {
  return inTenant(ctx, async (tx) => {
    await markEventsRead(tx, ctx.workspaceId, ctx.actor.userId, sequence);
    return countUnreadEvents(tx, ctx.workspaceId, ctx.actor.userId);
  });
}
