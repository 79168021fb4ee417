import type { Fact, FactKind } from '#contract/imported-facts.ts';
import {
  listImportedFactRows,
  listImportedFacts,
  type ImportedFactFilter,
} from '#db/queries/imports/imported-facts.ts';
import type { Tx } from '#db/database.ts';
import { parseExact } from '#lib/json.ts';
import type { Ctx } from '#domain/base/context.ts';

/** Imported items of a kind: by keyword, newest day first. */
export async function readImportedFacts<Kind extends FactKind>(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId'>,
  filter: ImportedFactFilter & { kind: Kind },
): Promise<Fact<Kind>[]> {
  const rows = await listImportedFactRows(tx, ctx.workspaceId, filter);
  if (rows.length === 0) return [];
  return parseFacts<Kind>(
    await listImportedFacts(
      tx,
      ctx.workspaceId,
      rows.map(({ id }) => id),
    ),
  );
}

/** Only imports fill the column, with validated items. */
export function parseFacts<Kind extends FactKind>(texts: readonly string[]): Fact<Kind>[] {
  return texts.flatMap((text) => parseExact(text) as Fact<Kind>[]);
}
