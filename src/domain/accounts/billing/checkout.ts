import { saveCustomer } from '#db/queries/billing/payments.ts';
import { findBilling, type BillingRow } from '#db/queries/workspaces/workspaces.ts';
import { inTenant, type Ctx, type Services } from '#domain/base/context.ts';
import { chooseSubscription } from './choose-subscription.ts';
import { explainSuspension } from './explain-suspension.ts';
import { AppError, notFound } from '#domain/base/errors.ts';
import {
  PaymentError,
  type Payments,
  type PlanInterval,
  type PlanName,
} from '#domain/base/ports.ts';

export interface Order {
  plan: PlanName;
  interval: PlanInterval;
}

/**
 * The address of a checkout page; for a running subscription that of the page that changes it, so
 * that nobody pays twice. Earlier checkout pages cannot be paid any more. The provider returns to
 * `page`. Throws not_found when the plan is not sold, workspace_suspended for a deleted workspace,
 * and PaymentError.
 */
export async function startCheckout(ctx: Ctx, order: Order, page: string): Promise<string> {
  const payments = requirePayments(ctx);
  const row = await findRow(ctx);
  if (!row) throw notFound();
  if (row.deleteAt) throw await explainSuspension(ctx, ctx.workspaceId);
  if (!payments.intervalsOf(order.plan).includes(order.interval))
    throw new AppError(
      'not_found',
      `This instance does not sell the plan ${order.plan} by the ${order.interval}.`,
    );
  const known = row.paymentCustomer;
  const checkout = (customer: string) =>
    payments.checkout({
      ...order,
      customer,
      workspaceId: ctx.workspaceId,
      successUrl: `${page}?checkout=done`,
      cancelUrl: `${page}?checkout=cancelled`,
    });
  const open = async (customer: string) => {
    await payments.expireCheckouts(customer);
    const all = await payments.listSubscriptions(customer);
    const current = chooseSubscription(all, row.paymentSubscription);
    return current?.status === 'running'
      ? payments.portal({ customer, returnUrl: afterPortal(page) })
      : checkout(customer);
  };
  const address = known === null ? null : await askForCustomer(row, () => open(known));
  // A concurrent request may have registered the customer and opened a page.
  return address ?? open(await registerCustomer(ctx, payments, known));
}

/**
 * The address of the provider's page with plan, invoices and cards. Throws not_found before a
 * purchase; PaymentError.
 */
export async function createPortalSession(ctx: Ctx, page: string): Promise<string> {
  const payments = requirePayments(ctx);
  const row = await findRow(ctx);
  const customer = row?.paymentCustomer ?? null;
  const address =
    !row || customer === null
      ? null
      : await askForCustomer(row, () =>
          payments.portal({ customer, returnUrl: afterPortal(page) }),
        );
  if (address === null) throw new AppError('not_found', 'No plan was bought here yet.');
  return address;
}

/** Changes on the provider's page arrive later, as events. */
const afterPortal = (page: string): string => `${page}?checkout=changed`;

/**
 * Cancels the subscription, because a deleted workspace must not be paid for. Throws PaymentError,
 * and then the subscription continues.
 */
export async function cancelSubscription(ctx: Services & { workspaceId: number }): Promise<void> {
  const customer = (await findRow(ctx))?.paymentCustomer ?? null;
  if (customer === null || ctx.payments === null) return;
  const { payments } = ctx;
  await nullIfUnknownCustomer(() => payments.forget(customer));
}

function requirePayments({ payments }: Ctx): Payments {
  if (payments === null)
    throw new AppError('not_found', 'This instance takes no payments; ask its operator.');
  return payments;
}

function findRow(ctx: Pick<Ctx, 'appDb' | 'workspaceId'>): Promise<BillingRow | undefined> {
  return inTenant(ctx, (tx) => findBilling(tx, ctx.workspaceId));
}

/**
 * Stores the customer before any payment, because events refer to customers. Two concurrent calls
 * continue with the same customer.
 */
async function registerCustomer(
  ctx: Ctx,
  payments: Payments,
  before: string | null,
): Promise<string> {
  const customer = await payments.createCustomer({
    workspaceId: ctx.workspaceId,
    email: ctx.actor.email,
  });
  const kept = await inTenant(ctx, (tx) => saveCustomer(tx, ctx.workspaceId, { customer, before }));
  if (kept === null) throw notFound();
  return kept;
}

/**
 * Null when the provider does not know the customer, unless the workspace pays: another account's
 * keys would cut it off from its subscription. One that was really deleted has ended by its event,
 * or within a day.
 */
async function askForCustomer<T>(row: BillingRow, ask: () => Promise<T>): Promise<T | null> {
  const isPaying = row.status === 'live' && row.paymentSubscription !== null;
  return isPaying ? ask() : nullIfUnknownCustomer(ask);
}

/** Null when the provider does not know the customer: it was deleted, or its keys have changed. */
async function nullIfUnknownCustomer<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof PaymentError && error.failure === 'unknown_customer') return null;
    throw error;
  }
}
