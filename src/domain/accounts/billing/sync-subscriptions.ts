import {
  listSubscriptionsToSync,
  lockPlan,
  nextPaymentReadNumber,
} from '#db/queries/billing/payments.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import type { Payments } from '#domain/base/ports.ts';
import { applyReading, readSubscriptions } from './read-subscriptions.ts';
import { reconcileWorkspace } from './reconcile-workspace.ts';

/** The number of sequential requests per call. */
const atOnce = 4;
const everyMs = 86_400_000;
const restMs = 600_000;

/** One day's synchronization of all paying customers. */
interface Pass {
  begunAt: number;
  /** Customers read after this number need no sync. */
  number: number;
  /** The last workspace that was read. */
  after: number;
  /** Workspaces that were read and keep a manual plan; nothing was recorded for them. */
  kept: Set<number>;
  unavailableUntil: number;
  /** The last request failed, and that was logged. */
  isFailing: boolean;
  /** The provider knows one of our customers, so its keys belong to the selling account. */
  isKnown: boolean;
}

const passes = new WeakMap<Services, Pass>();

/**
 * Reads the subscriptions of paying customers again, at the start and daily, a few per call. Events
 * that were sent while billing was off, or for longer than the provider retries, were lost. Returns
 * the number read; does nothing without billing or keys.
 */
export async function syncSubscriptions(services: Services): Promise<number> {
  const { payments, settings, clock, systemDb } = services;
  if (payments === null || !settings.billingEnabled) return 0;
  const pass = await passOf(services);
  if (clock.now().getTime() < pass.unavailableUntil) return 0;
  const due = await listSubscriptionsToSync(systemDb, {
    before: pass.number,
    after: pass.after,
    except: [...pass.kept],
    limit: atOnce,
  });
  // Skipped customers are read again.
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
  // One that began in the future belongs to a clock that has since been set back.
  if (last && now >= last.begunAt && now < last.begunAt + everyMs) return last;
  const number = await nextPaymentReadNumber(services.systemDb);
  const pass: Pass = {
    begunAt: now,
    number,
    after: 0,
    kept: new Set(),
    unavailableUntil: 0,
    isFailing: last?.isFailing ?? false,
    isKnown: false,
  };
  passes.set(services, pass);
  return pass;
}

/**
 * Reads one customer. A failing one is skipped: the next ones follow after a pause, and it is
 * repeated after them.
 */
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
    const details = { workspaceId: pass.after, error: (error as Error).message };
    if (!pass.isFailing) log.warn(details, 'subscription could not be read, will retry');
    pass.isFailing = true;
    pass.unavailableUntil = clock.now().getTime() + restMs;
    return false;
  }
}

async function reread(
  services: Services,
  payments: Payments,
  { id, customer, pass }: { id: number; customer: string; pass: Pass },
): Promise<void> {
  const reading = await readSubscriptions(services, payments, customer);
  pass.isKnown ||= !reading.isUnknown;
  // Otherwise another account's keys would end every plan.
  if (!pass.isKnown)
    throw new Error(`the payment provider does not know ${customer}, nor any customer read so far`);
  await inSystem(services, (tx) =>
    reconcileWorkspace(tx, services, id, async () => {
      const before = await lockPlan(tx, id);
      if (!before) return;
      const given = { workspaceId: id, before, reading, isRenewal: false };
      if (!(await applyReading(tx, services, given))) pass.kept.add(id);
    }),
  );
}
