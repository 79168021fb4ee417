import {
  deferChore,
  findChore,
  settleChore,
  settleChoreWithGap,
  type ChoreRow,
} from '../../db/queries/chores.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { StoreError, type StoreRequestOptions } from '../ports.ts';
import type { CheckServices } from '../rankings/check-market.ts';
import { nextTry } from '../runs/next-try.ts';
import { choreTable } from './kinds.ts';

export type ChoreOutcome = 'done' | 'gap' | 'deferred' | 'skipped';

/**
 * Does one chore for `day`, which was fixed when it was planned. One that has its outcome already is done again only while
 * somebody waits for it. A failure keeps nothing: it is tried again within the day, then leaves a gap with its reason.
 */
export async function doChore(
  services: CheckServices,
  input: { choreId: number; day: UtcDay },
  options: StoreRequestOptions,
): Promise<ChoreOutcome> {
  const chore = await findChore(services.systemDb, input.choreId, input.day);
  if (!chore?.active) return 'skipped';
  if (chore.urgentAt === null && chore.settledOn !== null && chore.settledOn >= input.day)
    return 'skipped';
  try {
    const { requests } = await choreTable[chore.kind].work(services, chore, input.day, options);
    await settleChore(services.systemDb, { ...input, requests });
    return 'done';
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return settleFailure(services, chore, input.day, error);
  }
}

async function settleFailure(
  services: CheckServices,
  chore: ChoreRow,
  day: UtcDay,
  error: StoreError,
): Promise<ChoreOutcome> {
  const { id: choreId, store, kind, country } = chore;
  const decision = nextTry(error, chore.attempts, services.clock.now());
  if (decision.kind === 'give-up') {
    await settleChoreWithGap(services.systemDb, { choreId, day, marker: error.marker });
    services.log.warn(
      { chore: choreId, kind, store, country, day, marker: error.marker },
      'a chore has no answer today',
    );
    return 'gap';
  }
  await deferChore(services.systemDb, {
    choreId,
    day,
    attempts: decision.attempts,
    retryAt: decision.at,
    marker: error.marker,
  });
  return 'deferred';
}
