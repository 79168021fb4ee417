import type { Fact, FactKind } from '#contract/imported-facts.ts';
import {
  listImportedFactRows,
  listImportedFacts,
  type ImportedFactFilter,
} from '#db/queries/imports/imported-facts.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { factKinds } from '#domain/tracking/imported-facts/fact-kinds.ts';
import { parseFacts } from '#domain/tracking/imported-facts/read-imported-facts.ts';
import { markImportedReviews } from '#domain/tracking/reviews/imported-reviews.ts';
import { chunk } from './export-source.ts';

type AppFacts = ImportedFactFilter & { kind: FactKind; appId: number };

const rowsPerRead = 20;

/** Pages of this instance's facts, followed by imported ones that it did not read itself. */
export async function* withImportedFacts(
  ctx: Ctx,
  filter: AppFacts,
  own: AsyncIterable<object[]>,
): AsyncGenerator<object[]> {
  const keyOf = factKinds[filter.kind].keyOf as (item: object) => string;
  const here = new Set<string>();
  for await (const items of own) {
    for (const item of items) here.add(keyOf(item));
    yield items;
  }
  for await (const items of readImportedFacts(ctx, filter))
    yield items.filter((item) => !here.has(keyOf(item)));
}

/** Imported items by keyword, newest day first. */
async function* readImportedFacts(ctx: Ctx, filter: AppFacts): AsyncGenerator<Fact<FactKind>[]> {
  const rows = await inTenant(ctx, (tx) => listImportedFactRows(tx, ctx.workspaceId, filter));
  for (const part of chunk(rows, rowsPerRead)) {
    const ids = part.map(({ id }) => id);
    yield await inTenant(ctx, async (tx) => {
      const texts = await listImportedFacts(tx, ctx.workspaceId, ids);
      return filter.kind === 'reviews'
        ? markImportedReviews(tx, ctx, filter.appId, parseFacts<'reviews'>(texts))
        : parseFacts(texts);
    });
  }
}
