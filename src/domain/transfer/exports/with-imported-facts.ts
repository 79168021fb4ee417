import type { Fact, FactKind } from '#contract/imported-facts.ts';
import {
  listImportedFactRows,
  listImportedFacts,
  type ImportedFactFilter,
} from '#db/queries/imports/imported-facts.ts';
import { parseExact } from '#lib/json.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { factKinds } from '../facts/fact-kinds.ts';
import { chunk } from './export-source.ts';

const rowsPerRead = 20;

/**
 * Pages of this instance's facts, followed by imported ones that it did not read itself. A day
 * without a reading here is no gap when another instance read it.
 */
export async function* withImportedFacts(
  ctx: Ctx,
  filter: ImportedFactFilter & { kind: FactKind },
  own: AsyncIterable<object[]>,
): AsyncGenerator<object[]> {
  const keyOf = factKinds[filter.kind].keyOf as (item: object) => string;
  const elsewhere = hasGaps(filter.kind) ? await listKeys(ctx, filter, keyOf) : new Set<string>();
  const here = new Set<string>();
  for await (const items of own) {
    const shown = items.filter((item) => !isGap(item) || !elsewhere.has(keyOf(item)));
    for (const item of shown) if (!isGap(item)) here.add(keyOf(item));
    yield shown;
  }
  for await (const items of readImportedFacts(ctx, filter))
    yield items.filter((item) => !here.has(keyOf(item)));
}

const hasGaps = (kind: FactKind): boolean => kind === 'category_ranks';
const isGap = (item: object): boolean => 'state' in item && item.state === 'not_checked';

async function listKeys(
  ctx: Ctx,
  filter: ImportedFactFilter,
  keyOf: (item: object) => string,
): Promise<Set<string>> {
  const keys = new Set<string>();
  for await (const items of readImportedFacts(ctx, filter))
    for (const item of items) keys.add(keyOf(item));
  return keys;
}

/** Imported items by keyword, newest day first. */
async function* readImportedFacts(
  ctx: Ctx,
  filter: ImportedFactFilter,
): AsyncGenerator<Fact<FactKind>[]> {
  const rows = await inTenant(ctx, (tx) => listImportedFactRows(tx, ctx.workspaceId, filter));
  for (const part of chunk(rows, rowsPerRead)) {
    const ids = part.map(({ id }) => id);
    const texts = await inTenant(ctx, (tx) => listImportedFacts(tx, ctx.workspaceId, ids));
    // Only imports fill the column, with validated items.
    yield texts.flatMap((text) => parseExact(text) as Fact<FactKind>[]);
  }
}
