import { deleteDueUser, listUsersToPurge, lockHomes } from '#db/queries/auth/account-deletions.ts';
import { redactAuditNames } from '#db/queries/audit/audit.ts';
import { listWorkspacesToPurge } from '#db/queries/workspaces/erasure.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { limitClock } from '#domain/base/plausible-clock.ts';
import { PaymentError } from '#domain/base/ports.ts';
import { purgeWorkspace } from '../workspaces/purge-workspace.ts';

const atOnce = 20;
/** Other work of the scheduler waits meanwhile. */
const budgetMs = 1_000;
const paymentPauseMs = 10 * 60_000;

interface Progress {
  /** The last ids that were tried. */
  workspaceId: number;
  userId: number;
  /** When a request to the payment provider failed for the last time. */
  paymentFailedMs: number;
}

const progresses = new WeakMap<Services, Progress>();

/**
 * Deletes workspaces and accounts after their grace period, at most 20 of each; returns the number.
 * A failure is retried after all others that are due, so it does not block them. When the payment
 * provider does not respond, workspaces that it knows wait for ten minutes.
 */
export async function purgeDeleted(services: Services): Promise<number> {
  const untilMs = services.clock.now().getTime() + budgetMs;
  const isTimeOver = () => services.clock.now().getTime() >= untilMs;
  const limited = { ...services, clock: await limitClock(services) };
  const { systemDb, clock } = limited;
  const now = clock.now();
  const last = progressOf(services);
  let gone = 0;
  const paying = canRequestPayments(services, last);
  const workspaces = { after: last.workspaceId, limit: atOnce, paying };
  for (const workspaceId of await listWorkspacesToPurge(systemDb, now, workspaces)) {
    last.workspaceId = workspaceId;
    const purge = () => purgeWorkspace(limited, workspaceId, isTimeOver);
    if (await attempt(services, { workspaceId }, purge)) gone += 1;
    if (isTimeOver() || paying !== canRequestPayments(services, last)) break;
  }
  const users = { after: last.userId, limit: atOnce };
  for (const userId of await listUsersToPurge(systemDb, now, users)) {
    last.userId = userId;
    if (await attempt(services, { userId }, () => purgeAccount(limited, userId, now))) gone += 1;
    if (isTimeOver()) break;
  }
  return gone;
}

function progressOf(services: Services): Progress {
  const last = progresses.get(services) ?? {
    workspaceId: 0,
    userId: 0,
    paymentFailedMs: -Infinity,
  };
  progresses.set(services, last);
  return last;
}

/** A failure in the future is one of a clock that has since been set back. */
function canRequestPayments({ clock }: Services, { paymentFailedMs }: Progress): boolean {
  const sinceMs = clock.now().getTime() - paymentFailedMs;
  return sinceMs < 0 || sinceMs >= paymentPauseMs;
}

function purgeAccount(services: Services, userId: number, now: Date): Promise<boolean> {
  return inSystem(services, async (tx) => {
    await lockHomes(tx, userId);
    const email = await deleteDueUser(tx, userId, now);
    if (email !== undefined) await redactAuditNames(tx, [email]);
    return email !== undefined;
  });
}

async function attempt(
  services: Services,
  what: object,
  purge: () => Promise<boolean>,
): Promise<boolean> {
  try {
    const isGone = await purge();
    if (isGone) services.log.info(what, 'purged a deleted workspace or account');
    return isGone;
  } catch (error) {
    if (error instanceof PaymentError)
      progressOf(services).paymentFailedMs = services.clock.now().getTime();
    services.log.warn({ ...what, error: (error as Error).message }, 'purge failed, will retry');
    return false;
  }
}
