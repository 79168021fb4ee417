import type { z } from 'zod';
import type { snapshots } from '#contract/snapshots.ts';
import { listFollowedSnapshots } from '#db/queries/snapshots/followed-snapshots.ts';
import { listSnapshotFields } from '#db/queries/snapshots/snapshots.ts';
import { getApp } from '../apps/get-app.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { diffListings, type FieldChange } from '../listings/listing-content.ts';
import { readFields } from '../listings/listing-snapshot.ts';
import { listImportedSnapshots, type ShownSnapshot } from './imported-snapshots.ts';
import { presentHead } from './list-snapshots.ts';
import { diffWords, type WordOp } from '#lib/word-diff.ts';

export type SnapshotComparison = z.input<
  (typeof snapshots)['GET /apps/{id}/snapshots/diff']['responses'][200]
>;

const texts = new Set([
  'name',
  'subtitle',
  'summary',
  'description',
  'developer',
  'category',
  'releaseNotes',
]);
const uncounted = { rating: null, ratingCount: null, installs: null };

/**
 * Compares two snapshots of the app's listing or of its competitors', in any order. Throws
 * not_found for snapshots that this workspace does not track.
 */
export async function diffSnapshots(
  ctx: Ctx,
  appId: number,
  { a, b }: { a: number; b: number },
): Promise<SnapshotComparison> {
  const { rows, fields } = await inTenant(ctx, async (tx) => {
    await getApp(tx, ctx, appId);
    const found = await listFollowedSnapshots(
      tx,
      ctx.workspaceId,
      { appId, ids: [a, b] },
      { after: null, limit: 2 },
    );
    const own = await listSnapshotFields(tx, [a, b]);
    const isKnown = (id: number) => found.some((row) => row.id === id);
    const imported =
      isKnown(a) && isKnown(b)
        ? []
        : await listImportedSnapshots(tx, ctx, { appId, itemIds: [a, b] });
    return {
      rows: [...found, ...imported.filter((one) => one.fields !== null)],
      fields: new Map([...own, ...imported.map((one) => [one.id, one.fields] as const)]),
    };
  });
  const [rowA, rowB] = [rows.find((row) => row.id === a), rows.find((row) => row.id === b)];
  if (!rowA || !rowB) throw notFound();
  const found = diffListings(
    { ...readFields(fields.get(a)), ...uncounted },
    { ...readFields(fields.get(b)), ...uncounted },
  );
  return {
    a: presentSide(rowA),
    b: presentSide(rowB),
    fields: found.map((change) => ({ ...change, ops: diffTexts(change) })),
  };
}

function presentSide(row: ShownSnapshot): SnapshotComparison['a'] {
  return { ...presentHead(row), appId: row.appId, competitorId: row.competitorId };
}

function diffTexts({ field, before, after }: FieldChange): WordOp[] | null {
  if (!texts.has(field)) return null;
  return diffWords(
    typeof before === 'string' ? before : '',
    typeof after === 'string' ? after : '',
  );
}
