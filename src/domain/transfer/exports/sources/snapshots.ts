import {
  listFollowedSnapshots,
  type TrackedSnapshot,
} from '#db/queries/snapshots/followed-snapshots.ts';
import { listSnapshotFields } from '#db/queries/snapshots/snapshots.ts';
import { addDays, startOfDayMs } from '#lib/dates.ts';
import type { InstantCursor } from '#domain/base/instant-cursor.ts';
import { inTenant } from '#domain/base/context.ts';
import { sourceOf, type ExportScope } from '../export-source.ts';

const pageSize = 50;

type SnapshotItem = Omit<TrackedSnapshot, 'listingId'> & { fields: unknown };

/**
 * The listings' texts of an app and its competitors, newest first, including those live at the
 * start of the range.
 */
async function* readPages({ ctx, app, from, to }: ExportScope): AsyncGenerator<SnapshotItem[]> {
  const filter = {
    appId: app.id,
    from: new Date(startOfDayMs(from)),
    until: new Date(startOfDayMs(addDays(to, 1))),
  };
  let after: InstantCursor | null = null;
  for (;;) {
    const cursor: InstantCursor | null = after;
    const page: SnapshotItem[] = await inTenant(ctx, async (tx) => {
      const rows = await listFollowedSnapshots(tx, ctx.workspaceId, filter, {
        after: cursor,
        limit: pageSize,
      });
      const fields = await listSnapshotFields(
        tx,
        rows.map(({ id }) => id),
      );
      return rows.map(({ listingId: _listingId, ...row }) => ({
        ...row,
        fields: fields.get(row.id) ?? null,
      }));
    });
    yield page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = { at: last.takenAt, id: last.id };
  }
}

/** All days at once: a snapshot that stays current is in every range from its own day on. */
export const snapshots = sourceOf<SnapshotItem>({
  columns: {},
  hasDays: true,
  hasEarlierDays: true,
  pages: readPages,
});
