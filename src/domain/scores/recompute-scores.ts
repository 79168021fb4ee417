import type { z } from 'zod';
import type { scores } from '../../contract/scores.ts';
import { listMarketsOfWorkspace } from '../../db/queries/keyword-scores.ts';
import { getApp } from '../apps/find-app.ts';
import { inSystem, inTenant, type Ctx } from '../context.ts';
import { invalid } from '../errors.ts';
import { accept, requireHeadroom, type JobReference } from '../jobs/accept.ts';
import type { HouseJobRow } from '../jobs/house-work.ts';
import type { CheckServices } from '../rankings/check-market.ts';
import { formulaVersion } from './formulas.ts';
import { scoreMarkets } from './score-markets.ts';

type Operation = (typeof scores)['POST /scores/recompute'];
export type RecomputeBody = z.output<Operation['body']>;

/** Accepts it for an app or for the whole workspace. Throws not_found, invalid_request for a formula that is not here, queue_full. */
export async function requestRecompute(
  ctx: Ctx,
  body: RecomputeBody,
): Promise<{ job: JobReference; poll: string }> {
  const version = body.formulaVersion ?? formulaVersion;
  if (version !== formulaVersion)
    throw invalid(
      'formulaVersion',
      'GET /scores/formulas tells which there are',
      version,
      formulaVersion,
    );
  await requireHeadroom(ctx);
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

/** Does it: from stored evidence alone. Begun again it changes nothing that was done. */
export async function recomputeScores(
  services: CheckServices,
  job: HouseJobRow,
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
