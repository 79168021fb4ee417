import type { z } from 'zod';
import type { scores } from '#contract/scores.ts';
import { listMarketsOfWorkspace } from '#db/queries/scores/keyword-scores.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { inSystem, inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { accept, assertQueueCapacity, type JobReference } from '#domain/base/jobs/accept-job.ts';
import type { BackgroundJobRow } from '#db/queries/jobs/background-jobs.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { formulaVersion } from './formulas.ts';
import { scoreMarkets } from './score-markets.ts';

type Operation = (typeof scores)['POST /scores/recompute'];
export type RecomputeBody = z.output<Operation['body']>;

/**
 * Accepts the job for an app or the whole workspace. Throws not_found, invalid_request for an
 * unknown formula, queue_full.
 */
export async function requestRecompute(
  ctx: Ctx,
  body: RecomputeBody,
): Promise<{ job: JobReference; poll: string }> {
  const version = body.formulaVersion ?? formulaVersion;
  if (version !== formulaVersion)
    throw invalid(
      'formulaVersion',
      'GET /scores/formulas lists the existing ones',
      version,
      formulaVersion,
    );
  await assertQueueCapacity(ctx);
  const appId = body.scope === 'workspace' ? null : body.scope.appId;
  const job = await inTenant(ctx, async (tx) => {
    if (appId !== null) await getApp(tx, ctx, appId);
    const markets = await listMarketsOfWorkspace(tx, ctx.workspaceId, appId);
    return accept(tx, ctx, {
      appId,
      kind: 'recompute',
      dedupeKey: `recompute_${appId ?? 'all'}`,
      payload: { version },
      total: markets.length,
    });
  });
  return { job, poll: pathOf(appId) };
}

/** Runs the job from stored evidence alone. Idempotent. */
export async function recomputeScores(
  services: CheckServices,
  job: BackgroundJobRow,
  signal: AbortSignal,
): Promise<{ path: string }> {
  const marketIds = await inSystem(services, (tx) =>
    listMarketsOfWorkspace(tx, job.workspaceId, job.appId),
  );
  await scoreMarkets(services, marketIds, signal);
  return { path: pathOf(job.appId) };
}

const pathOf = (appId: number | null): string =>
  appId === null ? '/apps' : `/apps/${appId}/opportunities`;
