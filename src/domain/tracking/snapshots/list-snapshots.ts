import type { z } from 'zod';
import type { ChangedField } from '#contract/changes.ts';
import type { snapshots } from '#contract/snapshots.ts';
import {
  countFollowedSnapshots,
  findSnapshotDay,
  listFollowedSnapshots,
  type SnapshotFilter,
} from '#db/queries/snapshots/followed-snapshots.ts';
import { listSnapshotFields } from '#db/queries/snapshots/snapshots.ts';
import type { Tx } from '#db/database.ts';
import { getApp } from '../apps/get-app.ts';
import { readListCursor, writeListCursor } from '#domain/base/instant-cursor.ts';
import { toInstants } from '../changes/list-changes.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { mergeNewest } from '../imported-facts/merge-newest.ts';
import { presentSnapshot, readFields } from '../listings/listing-snapshot.ts';
import { listImportedSnapshots, type ShownSnapshot } from './imported-snapshots.ts';

type ListOperation = (typeof snapshots)['GET /apps/{id}/snapshots'];
export type SnapshotList = z.input<ListOperation['responses'][200]>;
export type SnapshotRecord = z.input<(typeof snapshots)['GET /snapshots/{id}']['responses'][200]>;

/**
 * The texts of an app's listing that were live within the range, newest first. Throws not_found,
 * invalid_request, invalid_cursor.
 */
export async function listSnapshots(
  ctx: Ctx,
  appId: number,
  query: z.output<ListOperation['query']>,
): Promise<SnapshotList> {
  const { country, locale: language, limit } = query;
  const filter = {
    appId,
    scope: 'own' as const,
    country,
    language,
    ...toInstants(query, ctx.clock.now()),
  };
  const list = `snapshots ${appId}`;
  const after = query.cursor === undefined ? null : readListCursor(list, query.cursor);
  return inTenant(ctx, async (tx) => {
    await getApp(tx, ctx, appId);
    const rows = await listFollowedSnapshots(tx, ctx.workspaceId, filter, {
      after,
      limit: limit + 1,
    });
    const imported = await listLiveImported(tx, ctx, filter);
    const merged = mergeNewest<ShownSnapshot>(rows, imported, {
      after,
      limit: limit + 1,
      atOf: ({ takenAt }) => takenAt,
    });
    const page = merged.slice(0, limit);
    const last = merged.length > page.length ? page.at(-1) : undefined;
    return {
      items: page.map((row) => ({
        ...presentHead(row),
        supersededAt: row.supersededAt?.toISOString() ?? null,
        // Only recordChanges writes them.
        changed: row.changed as ChangedField[],
      })),
      nextCursor: last ? writeListCursor(list, { at: last.takenAt, id: last.id }) : null,
      total: (await countFollowedSnapshots(tx, ctx.workspaceId, filter)) + imported.length,
    };
  });
}

/** Imported texts of the app's listing that were live within the range. */
async function listLiveImported(
  tx: Tx,
  ctx: Ctx,
  { appId, country, language, from, until }: SnapshotFilter & { from: Date; until: Date },
): Promise<ShownSnapshot[]> {
  const found = await listImportedSnapshots(tx, ctx, { appId });
  return found.filter(
    (one) =>
      one.competitorId === null &&
      (country === undefined || one.country === country) &&
      (language === undefined || one.language?.toLowerCase() === language.toLowerCase()) &&
      (one.supersededAt === null || one.supersededAt >= from) &&
      one.takenAt < until,
  );
}

/**
 * A snapshot with its texts, and with its day's numbers if this workspace tracked it then. Throws
 * not_found.
 */
export async function getSnapshot(ctx: Ctx, id: number): Promise<SnapshotRecord> {
  return inTenant(ctx, async (tx) => {
    const [row] = await listFollowedSnapshots(
      tx,
      ctx.workspaceId,
      { ids: [id], withArchived: true },
      { after: null, limit: 1 },
    );
    if (!row) return getImportedSnapshot(tx, ctx, id);
    const { country, language, takenAt, appId, competitorId } = row;
    const fields = readFields((await listSnapshotFields(tx, [id])).get(id));
    const numbers = await findSnapshotDay(tx, ctx.workspaceId, id);
    const { rating = null, ratingCount = null, installs = null } = numbers ?? {};
    return {
      ...presentSnapshot({ id, country, language, takenAt, fields, rating, ratingCount, installs }),
      appId,
      competitorId,
    };
  });
}

/** Throws not_found. */
async function getImportedSnapshot(tx: Tx, ctx: Ctx, id: number): Promise<SnapshotRecord> {
  const [found] = await listImportedSnapshots(tx, ctx, { itemIds: [id] });
  if (!found || found.fields === null) throw notFound();
  const { country, language, takenAt, appId, competitorId } = found;
  const unknown = { rating: null, ratingCount: null, installs: null };
  const fields = readFields(found.fields);
  return {
    ...presentSnapshot({ id, country, language, takenAt, fields, ...unknown }),
    appId,
    competitorId,
  };
}

export function presentHead({ id, country, language, takenAt, name, version }: ShownSnapshot) {
  return { id, country, language, takenAt: takenAt.toISOString(), name: name ?? '', version };
}
