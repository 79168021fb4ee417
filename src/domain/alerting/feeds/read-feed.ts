import type { EventObject } from '#contract/events.ts';
import { listEventBodies } from '#db/queries/events/events.ts';
import { parseExact } from '#lib/json.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { writeFeed } from './write-feed.ts';

const entriesMax = 100;

/** The newest events of an app as Atom, newest first. Throws not_found. */
export async function readFeed(ctx: Ctx, appId: number): Promise<string> {
  return inTenant(ctx, async (tx) => {
    const app = await getApp(tx, ctx, appId);
    const page = {
      appId,
      afterSequence: null,
      from: null,
      past: null,
      order: 'desc' as const,
      limit: entriesMax,
    };
    const rows = await listEventBodies(tx, ctx.workspaceId, page);
    const name = app.displayName ?? app.name ?? app.storeAppId;
    const events = rows.map((row) => parseExact(row.body) as EventObject);
    return writeFeed(
      { id: app.id, name, createdAt: app.createdAt },
      events,
      ctx.settings.publicUrl,
    );
  });
}
