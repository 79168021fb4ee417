import {
  listFollowedSnapshots,
  type FollowedSnapshot,
} from '../../../db/queries/followed-snapshots.ts';
import { listSnapshotFields } from '../../../db/queries/snapshots.ts';
import { addDays, startOfDayMs } from '../../../lib/dates.ts';
import type { InstantPlace } from '../../changes/place.ts';
import { inTenant } from '../../context.ts';
import { sourceOf, type ExportScope } from '../export-source.ts';

const pageSize = 50;

type SnapshotItem = Omit<FollowedSnapshot, 'since' | 'listingId'> & { fields: unknown };

/** What the listings of an app and its competitors said, newest first. A text that stood at the range's beginning is in it. */
async function* readPages({ ctx, app, from, to }: ExportScope): AsyncGenerator<SnapshotItem[]> {
  const filter = {
    appId: app.id,
    from: new Date(startOfDayMs(from)),
    until: new Date(startOfDayMs(addDays(to, 1))),
  };
  let after: InstantPlace | null = null;
  for (;;) {
    const place: InstantPlace | null = after;
    const page: SnapshotItem[] = await inTenant(ctx, async (tx) => {
      const rows = await listFollowedSnapshots(tx, ctx.workspaceId, filter, {
        after: place,
        limit: pageSize,
      });
      const fields = await listSnapshotFields(
        tx,
        rows.map(({ id }) => id),
      );
      return rows.map(({ since: _since, listingId: _listingId, ...row }) => ({
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

export const snapshots = sourceOf<SnapshotItem>({ columns: {}, hasDays: true, pages: readPages });
