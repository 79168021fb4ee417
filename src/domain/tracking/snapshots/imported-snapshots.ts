import type { Fact } from '#contract/imported-facts.ts';
import type { Tx } from '#db/database.ts';
import type { ImportedFactFilter } from '#db/queries/imports/imported-facts.ts';
import type { TrackedSnapshot } from '#db/queries/snapshots/followed-snapshots.ts';
import type { Ctx } from '#domain/base/context.ts';
import { readImportedFacts } from '../imported-facts/read-imported-facts.ts';

export type ShownSnapshot = Omit<TrackedSnapshot, 'listingId'>;

/** Imported snapshots as those of this instance are listed, each with its texts. */
export async function listImportedSnapshots(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId'>,
  filter: Omit<ImportedFactFilter, 'kind'>,
): Promise<(ShownSnapshot & { fields: unknown })[]> {
  const facts = await readImportedFacts(tx, ctx, { kind: 'snapshots', ...filter });
  return facts.map(toSnapshot).filter(({ id }) => filter.itemIds?.includes(id) ?? true);
}

function toSnapshot(fact: Fact<'snapshots'>): ShownSnapshot & { fields: unknown } {
  const { takenAt, supersededAt } = fact;
  return {
    ...fact,
    takenAt: new Date(takenAt),
    supersededAt: supersededAt === null ? null : new Date(supersededAt),
  };
}
