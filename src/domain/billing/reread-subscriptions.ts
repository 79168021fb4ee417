import { listToReread, lockPlan, takePaymentRead } from '../../db/queries/payments.ts';
import { inSystem, type Services } from '../context.ts';
import type { Payments } from '../ports.ts';
import { applyReading, readSubscription } from './read-subscription.ts';
import { settleWorkspace } from './settle-workspace.ts';

/** A beat waits for so many answers, one after the other. */
const atOnce = 4;
const everyMs = 86_400_000;
const restMs = 600_000;

/** One day's reading of all who pay. */
interface Pass {
  begunAt: number;
  /** Whoever was read since this number needs no more. */
  number: number;
  /** The workspace that was looked at last. */
  after: number;
  restsUntil: number;
  /** The last question was in vain, and that is told. */
  isFailing: boolean;
  /** The provider knows one of our customers: the keys are those of the account that sold. */
  isKnown: boolean;
}

const passes = new WeakMap<Services, Pass>();

/**
 * Asks the provider once more where those stand who pay, when this process begins and daily, a few with each call: what it told
 * while plans were off, or for longer than it tries, was lost. Returns how many were read. Nothing without plans or keys.
 */
export async function rereadSubscriptions(services: Services): Promise<number> {
  const { payments, settings, clock, systemDb } = services;
  if (payments === null || !settings.billingEnabled) return 0;
  const pass = await passOf(services);
  if (clock.now().getTime() < pass.restsUntil) return 0;
  const due = await listToReread(systemDb, {
    before: pass.number,
    after: pass.after,
    limit: atOnce,
  });
  // Who was left out is asked about again.
  if (due.length === 0) pass.after = 0;
  let read = 0;
  for (const workspace of due) {
    pass.after = workspace.id;
    if (!(await attempt(services, pass, () => reread(services, payments, { ...workspace, pass }))))
      break;
    read += 1;
  }
  return read;
}

async function passOf(services: Services): Promise<Pass> {
  const now = services.clock.now().getTime();
  const last = passes.get(services);
  if (last && now < last.begunAt + everyMs) return last;
  const number = await takePaymentRead(services.systemDb);
  const pass: Pass = {
    begunAt: now,
    number,
    after: 0,
    restsUntil: 0,
    isFailing: last?.isFailing ?? false,
    isKnown: false,
  };
  passes.set(services, pass);
  return pass;
}

/** One that fails is passed over: the next ones come after a rest, and it again after them. */
async function attempt(
  { clock, log }: Services,
  pass: Pass,
  read: () => Promise<void>,
): Promise<boolean> {
  try {
    await read();
    pass.isFailing = false;
    return true;
  } catch (error) {
    const told = { workspaceId: pass.after, error: (error as Error).message };
    if (!pass.isFailing)
      log.warn(
        told,
        'where a subscription stands could not be read again; others and it are asked about later',
      );
    pass.isFailing = true;
    pass.restsUntil = clock.now().getTime() + restMs;
    return false;
  }
}

async function reread(
  services: Services,
  payments: Payments,
  { id, customer, pass }: { id: number; customer: string; pass: Pass },
): Promise<void> {
  const reading = await readSubscription(services, payments, customer);
  pass.isKnown ||= !reading.isUnknown;
  // Else another account's keys would end every plan.
  if (!pass.isKnown)
    throw new Error(
      `the payment provider knows neither ${customer} nor, so far, any other customer of ours`,
    );
  await inSystem(services, (tx) =>
    settleWorkspace(tx, services, id, async () => {
      const before = await lockPlan(tx, id);
      if (before && !before.isByHand)
        await applyReading(tx, services, { workspaceId: id, before, reading });
    }),
  );
}
