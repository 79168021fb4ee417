import type { z } from 'zod';
import type { countryScores } from '#contract/country-scores.ts';
import { lockWorkspace } from '#db/queries/budget/budgets.ts';
import {
  countOpenCountryScores,
  deleteOldCountryScores,
  upsertCountryScores,
} from '#db/queries/country-scores/country-scores.ts';
import { addCountryScoreUses } from '#db/queries/country-scores/uses.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { accept, assertQueueCapacity } from '#domain/base/jobs/accept-job.ts';
import {
  assertWithinAllowance,
  hourOf,
  planCountryScores,
  type CountryScoreCost,
  type CountryScoresBody,
} from './plan-country-scores.ts';

type Operation = (typeof countryScores)['POST /apps/{id}/country-scores'];
export type RequestedCountryScores = z.input<Operation['responses'][202]>;

/** Rows that open jobs of a workspace may have to score. */
const openMax = 2_000;
const keptMs = 90 * 86_400_000;

/** The cost of a request. Throws the errors of planCountryScores. */
export function previewCountryScores(
  ctx: Ctx,
  appId: number,
  body: CountryScoresBody,
): Promise<{ cost: CountryScoreCost }> {
  return inTenant(ctx, async (tx) => {
    const { cost } = await planCountryScores(tx, ctx, appId, body);
    return { cost };
  });
}

/**
 * Accepts the job that scores phrases in countries, with the rows that it fills. The job is null
 * when everything is known. Throws on_demand_cap, queue_full, invalid_request while too much is
 * waiting, and the errors of planCountryScores.
 */
export async function requestCountryScores(
  ctx: Ctx,
  appId: number,
  body: CountryScoresBody,
): Promise<RequestedCountryScores> {
  await assertQueueCapacity(ctx);
  return inTenant(ctx, async (tx) => {
    // Two requests at once would both see the allowance that only one of them may use.
    await lockWorkspace(tx, ctx.workspaceId);
    const plan = await planCountryScores(tx, ctx, appId, body);
    const { cost, device, names } = plan;
    assertWithinAllowance(plan);
    const now = ctx.clock.now();
    const open = await countOpenCountryScores(tx, ctx.workspaceId);
    if (open + cost.toScore > openMax)
      throw invalid(
        'countries',
        'phrases in countries that wait to be scored; wait for the open jobs',
        open + cost.toScore,
        openMax,
      );
    await deleteOldCountryScores(tx, ctx.workspaceId, new Date(now.getTime() - keptMs));
    const job =
      cost.toScore === 0
        ? null
        : await accept(tx, ctx, {
            appId,
            kind: 'country-scores',
            dedupeKey: null,
            payload: {},
            total: cost.toScore,
          });
    const jobId = job?.id ?? null;
    await upsertCountryScores(tx, ctx.workspaceId, { appId, device, names, jobId, now });
    if (job) {
      // A score that fails returns its use to the hour of its job.
      const hour = hourOf(new Date(job.queuedAt));
      await addCountryScoreUses(tx, ctx.workspaceId, { hour, uses: cost.toScore });
    }
    return { job, cost, poll: `/apps/${appId}/country-scores` };
  });
}
