import { listChangeRows, type ChangeRow } from '#db/queries/changes/changes.ts';
import { addDays, startOfDayMs } from '#lib/dates.ts';
import { stringifyExact } from '#lib/json.ts';
import type { InstantCursor } from '#domain/base/instant-cursor.ts';
import { presentChange, type ChangeRecord } from '#domain/tracking/changes/list-changes.ts';
import { inTenant } from '#domain/base/context.ts';
import { sourceOf, type Columns, type ExportScope } from '../export-source.ts';

const pageSize = 500;

const columns: Columns<ChangeRecord> = {
  id: (item) => item.id,
  detectedAt: (item) => item.detectedAt,
  previousAt: (item) => item.previousAt,
  store: (item) => item.listing.store,
  storeAppId: (item) => item.listing.storeAppId,
  name: (item) => item.listing.name,
  competitorId: (item) => item.competitorId,
  country: (item) => item.country,
  locale: (item) => item.locale,
  field: (item) => item.field,
  before: (item) => textOf(item.before),
  after: (item) => textOf(item.after),
  version: (item) => item.version,
  snapshotId: (item) => item.snapshotId,
};

function textOf(value: unknown): string | null {
  return value === null || value === undefined
    ? null
    : typeof value === 'string'
      ? value
      : stringifyExact(value);
}

/** Listing changes of the app and its competitors, newest first. */
async function* readPages({ ctx, app, from, to }: ExportScope): AsyncGenerator<ChangeRecord[]> {
  const filter = {
    appId: app.id,
    from: new Date(startOfDayMs(from)),
    until: new Date(startOfDayMs(addDays(to, 1))),
  };
  let after: InstantCursor | null = null;
  for (;;) {
    const cursor: InstantCursor | null = after;
    const rows: ChangeRow[] = await inTenant(ctx, (tx) =>
      listChangeRows(tx, ctx.workspaceId, filter, { after: cursor, limit: pageSize }),
    );
    yield rows.map(presentChange);
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = { at: last.detectedAt, id: last.id };
  }
}

export const changes = sourceOf<ChangeRecord>({ columns, hasDays: true, pages: readPages });
