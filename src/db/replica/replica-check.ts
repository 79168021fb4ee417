import type pg from 'pg';
import { keepsSessions } from '../require-session-mode.ts';
import { waitForMoment, type PrimaryMoment, type ReplicaFacts } from './replica-facts.ts';

/**
 * Compares the server at `url` with a moment of the primary. Until it was fine once, this includes
 * whether its connections keep their sessions: each is bound to a workspace. Throws when it does
 * not respond.
 */
export function createReplicaCheck(
  url: string,
): (replica: pg.ClientBase, moment: PrimaryMoment) => Promise<ReplicaFacts> {
  let sessions: Promise<boolean> | null = null;
  const areKept = async () => {
    sessions ??= keepsSessions(url);
    const kept = await sessions.catch((error) => {
      sessions = null;
      throw error;
    });
    if (!kept) sessions = null;
    return kept;
  };
  return async (replica, moment) => {
    const facts = await waitForMoment(replica, moment);
    if (facts.fault !== null || (await areKept())) return facts;
    return { ...facts, fault: 'shared_sessions' };
  };
}
