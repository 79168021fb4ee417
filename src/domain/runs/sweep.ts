import { purgeDeleted } from '../accounts/purge-deleted.ts';
import { sweepActions } from '../actions/run-actions.ts';
import { judgeChanges } from '../alerts/judge-changes.ts';
import { judgeChecks } from '../alerts/judge-checks.ts';
import { judgeReviews } from '../alerts/judge-reviews.ts';
import { judgeWorkspaces } from '../billing/judge-workspaces.ts';
import { rereadSubscriptions } from '../billing/reread-subscriptions.ts';
import type { Services } from '../context.ts';
import { countDays } from './count-days.ts';
import { tellDigests } from '../digests/tell-digests.ts';
import { deleteExpired } from '../exports/workspace-exports.ts';
import { judgeHeadroom } from '../service/judge-headroom.ts';
import { forgetParts } from '../imports/imports.ts';
import { scoreFallenBehind } from '../scores/score-markets.ts';

/** Upkeep that follows from stored facts: done again and again, each time as if it were the first. Must be idempotent. */
export interface Sweep {
  name: string;
  everyMs: number;
  run(services: Services): Promise<unknown>;
}

/** The table of sweeps. */
export const sweeps: readonly Sweep[] = [
  { name: 'plans of workspaces', everyMs: 30_000, run: judgeWorkspaces },
  { name: 'subscriptions, as the provider has them', everyMs: 10_000, run: rereadSubscriptions },
  { name: 'scores', everyMs: 15_000, run: scoreFallenBehind },
  { name: 'alerts of checks', everyMs: 2_000, run: judgeChecks },
  { name: 'alerts of changes', everyMs: 10_000, run: judgeChanges },
  { name: 'alerts of reviews', everyMs: 10_000, run: judgeReviews },
  { name: 'counts of days', everyMs: 10_000, run: countDays },
  { name: 'digests', everyMs: 60_000, run: tellDigests },
  { name: 'actions', everyMs: 60_000, run: sweepActions },
  { name: 'exports whose day is over', everyMs: 60_000, run: deleteExpired },
  { name: 'what was deleted two weeks ago', everyMs: 60_000, run: purgeDeleted },
  { name: 'parts that nobody imported', everyMs: 60_000, run: forgetParts },
  { name: 'room on the disk and in the queue store', everyMs: 300_000, run: judgeHeadroom },
];

const lastRuns = new WeakMap<Services, Map<string, number>>();

/** Runs the sweeps that are due; one that fails is told and tried again with the next beat, and stops nobody else. */
export async function sweep(services: Services): Promise<void> {
  const last = lastRuns.get(services) ?? new Map<string, number>();
  lastRuns.set(services, last);
  for (const { name, everyMs, run } of sweeps) {
    const now = services.clock.now().getTime();
    if (now < (last.get(name) ?? Number.NEGATIVE_INFINITY) + everyMs) continue;
    try {
      await run(services);
      last.set(name, now);
    } catch (error) {
      services.log.warn(
        { sweep: name, error: (error as Error).message },
        'a sweep failed and is tried again',
      );
    }
  }
}
