import type { z } from 'zod';
import type { popularity } from '#contract/popularity.ts';
import { listPopularitySets, type PopularitySetRow } from '#db/queries/popularity/terms.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';

export type PeriodList = z.input<(typeof popularity)['GET /popularity/periods']['responses'][200]>;

/** The periods that there are, the newest first. */
export function listPeriods(
  ctx: Ctx,
  query: { country?: string | undefined },
): Promise<PeriodList> {
  return inTenant(ctx, async (tx) => {
    const rows = await listPopularitySets(tx, query.country ?? null);
    return { items: rows.map(toPeriod), nextCursor: null, total: rows.length };
  });
}

export function toPeriod(row: PopularitySetRow): PeriodList['items'][number] {
  const { country, granularity, period, source, terms, genres, importedAt } = row;
  return {
    country,
    granularity,
    period,
    source,
    terms,
    genres,
    importedAt: importedAt.toISOString(),
  };
}
