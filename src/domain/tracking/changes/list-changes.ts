import type { z } from 'zod';
import type { change, changes, ChangedField } from '#contract/changes.ts';
import type { Tx } from '#db/database.ts';
import {
  countChanges,
  listChangeRows,
  type ChangeFilter,
  type ChangeRow,
} from '#db/queries/changes/changes.ts';
import { findListingIds } from '#db/queries/charts/charts.ts';
import { addDays, startOfDayMs, type UtcDay } from '#lib/dates.ts';
import { getApp } from '../apps/get-app.ts';
import { mergeNewest } from '../imported-facts/merge-newest.ts';
import { readImportedFacts } from '../imported-facts/read-imported-facts.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { parseDayRange, type DayRange } from '#domain/base/day-window.ts';
import { readListCursor, writeListCursor } from '#domain/base/instant-cursor.ts';

export type ChangeRecord = z.input<typeof change>;
export type ChangeList = z.input<(typeof changes)['GET /changes']['responses'][200]>;
type Query = z.output<(typeof changes)['GET /changes']['query']>;

/**
 * Lists changes within the range, newest first: of the listings this workspace tracks, from the
 * readings made while it tracked them, and imported ones. Only of one app when `appId` is given.
 * Throws not_found, invalid_request, invalid_cursor.
 */
export async function listChanges(ctx: Ctx, query: Query): Promise<ChangeList> {
  const { appId, scope, country, field: fields } = query;
  const range = toInstants(query, ctx.clock.now());
  const list = `changes ${appId ?? ''} ${scope ?? ''}`;
  const after = query.cursor === undefined ? null : readListCursor(list, query.cursor);
  const filter: ChangeFilter = { appId, scope, country, fields, ...range };
  return inTenant(ctx, async (tx) => {
    if (appId !== undefined) await getApp(tx, ctx, appId);
    const rows = await listChangeRows(tx, ctx.workspaceId, filter, {
      after,
      limit: query.limit + 1,
    });
    const days = parseDayRange(query, ctx.clock.now());
    const imported = await listImportedChanges(tx, ctx, { ...query, ...days });
    const merged = mergeNewest(rows.map(presentChange), imported, {
      after,
      limit: query.limit + 1,
      atOf: ({ detectedAt }) => new Date(detectedAt),
    });
    const page = merged.slice(0, query.limit);
    const last = merged.length > page.length ? page.at(-1) : undefined;
    const at = last && { at: new Date(last.detectedAt), id: last.id };
    return {
      items: page,
      nextCursor: at ? writeListCursor(list, at) : null,
      total: (await countChanges(tx, ctx.workspaceId, filter)) + imported.length,
    };
  });
}

/** Changes that another instance found, from an import. */
export async function listImportedChanges(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId'>,
  query: Pick<Query, 'appId' | 'scope' | 'country'> & {
    field?: Query['field'];
    from: UtcDay;
    to: UtcDay;
  },
): Promise<ChangeRecord[]> {
  const { appId, scope, country, field: fields, from, to } = query;
  const found = await readImportedFacts(tx, ctx, { kind: 'changes', appId, from, to });
  return found.filter(
    (one) =>
      (scope === undefined || (scope === 'own') === (one.competitorId === null)) &&
      (country === undefined || one.country === country) &&
      (fields === undefined || fields.includes(one.field)),
  );
}

/** The requested days as instants, the end excluded. Throws invalid_request. */
export function toInstants(range: DayRange, now: Date): { from: Date; until: Date } {
  const { from, to } = parseDayRange(range, now);
  return { from: new Date(startOfDayMs(from)), until: new Date(startOfDayMs(addDays(to, 1))) };
}

/** The id of a listing that this instance does not know: no listing has it. */
const unknownListing = 0;

/** A change that this workspace may see, or an imported one. Throws not_found. */
export async function getChange(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId'>,
  id: number,
): Promise<ChangeRow> {
  const [row] = await listChangeRows(
    tx,
    ctx.workspaceId,
    { id, withArchived: true },
    { after: null, limit: 1 },
  );
  const found = row ?? (await findImportedChange(tx, ctx, id));
  if (!found) throw notFound();
  return found;
}

async function findImportedChange(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId'>,
  id: number,
): Promise<ChangeRow | undefined> {
  const facts = await readImportedFacts(tx, ctx, { kind: 'changes', itemIds: [id] });
  const found = facts.find((one) => one.id === id);
  if (!found) return undefined;
  const { listing, locale, detectedAt, previousAt, ...change } = found;
  const known = await findListingIds(tx, listing.store, [listing.storeAppId]);
  return {
    ...change,
    ...listing,
    listingId: known.get(listing.storeAppId) ?? unknownListing,
    language: locale,
    detectedAt: new Date(detectedAt),
    previousAt: new Date(previousAt),
  };
}

export function presentChange(row: ChangeRow): ChangeRecord {
  const { id, appId, competitorId, country, version, snapshotId } = row;
  return {
    id,
    appId,
    competitorId,
    listing: { store: row.store, storeAppId: row.storeAppId, name: row.name },
    country,
    locale: row.language,
    // Only recordChanges fills the columns.
    field: row.field as ChangedField,
    before: row.before as ChangeRecord['before'],
    after: row.after as ChangeRecord['after'],
    version,
    detectedAt: row.detectedAt.toISOString(),
    previousAt: row.previousAt.toISOString(),
    snapshotId,
  };
}
