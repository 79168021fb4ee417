import { runActions } from '../domain/actions/run-actions.ts';
import type { HouseJob } from '../domain/jobs/house-work.ts';

/** The suggested actions of a workspace's day, from what is stored. */
export const actionsRun: HouseJob = { kind: 'actions-run', run: runActions };
