import { listStandings } from '../../db/queries/standings.ts';
import { inSystem, type Services } from '../context.ts';
import { countHeld, judgeStanding, settleWorkspace } from './settle-workspace.ts';

/**
 * Finds the workspaces whose state, plan or number of markets says something else than the daily run goes by: a trial that is over,
 * a plan that was paid for, a week over the limit, plans that are asked for no more. Returns how many were settled.
 */
export async function judgeWorkspaces(services: Services): Promise<number> {
  let settled = 0;
  for (const { markets, heldMarkets, ...row } of await listStandings(services.systemDb)) {
    const judged = judgeStanding(services, row, markets);
    const isSettled =
      judged.standing === row.standing &&
      judged.rests === row.rests &&
      (judged.overLimitSince === null) === (row.overLimitSince === null) &&
      countHeld(services, judged, markets) === heldMarkets;
    if (isSettled) continue;
    if (await inSystem(services, (tx) => settleWorkspace(tx, services, row.id))) settled += 1;
  }
  return settled;
}
