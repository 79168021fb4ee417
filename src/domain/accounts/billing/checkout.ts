import { saveCustomer } from '#db/queries/billing/payments.ts';
import { findBilling } from '#db/queries/workspaces/workspaces.ts';
import { inTenant, type Ctx, type Services } from '#domain/base/context.ts';
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
  await assertNotDeleted(ctx);
  if (!payments.intervalsOf(order.plan).includes(order.interval))
    throw new AppError(
      'not_found',
      `This instance does not sell the plan ${order.plan} by the ${order.interval}.`,
    );
  const known = await findCustomer(ctx);
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
    const current = await payments.readSubscription(customer);
    return current?.status === 'running'
      ? payments.portal({ customer, returnUrl: afterPortal(page) })
      : checkout(customer);
  };
  const address = known === null ? null : await nullIfUnknownCustomer(() => open(known));
  // A concurrent request may have registered the customer and opened a page.
  return address ?? open(await registerCustomer(ctx, payments, known));
}

/**
 * The address of the provider's page with plan, invoices and cards. Throws not_found before a
 * purchase; PaymentError.
 */
export async function createPortalSession(ctx: Ctx, page: string): Promise<string> {
  const payments = requirePayments(ctx);
  const customer = await findCustomer(ctx);
  const address =
    customer === null
      ? null
      : await nullIfUnknownCustomer(() =>
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
  const customer = await findCustomer(ctx);
  if (customer === null || ctx.payments === null) return;
  const { payments } = ctx;
  await nullIfUnknownCustomer(() => payments.forget(customer));
}

function requirePayments({ payments }: Ctx): Payments {
  if (payments === null)
    throw new AppError('not_found', 'This instance takes no payments; ask its operator.');
  return payments;
}

async function assertNotDeleted(ctx: Ctx): Promise<void> {
  const row = await inTenant(ctx, (tx) => findBilling(tx, ctx.workspaceId));
  if (row?.deleteAt) throw await explainSuspension(ctx, ctx.workspaceId);
}

async function findCustomer(ctx: Pick<Ctx, 'appDb' | 'workspaceId'>): Promise<string | null> {
  const row = await inTenant(ctx, (tx) => findBilling(tx, ctx.workspaceId));
  return row?.paymentCustomer ?? null;
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

/** Null when the provider does not know the customer, because its keys have changed. */
async function nullIfUnknownCustomer<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof PaymentError && error.failure === 'unknown_customer') return null;
    throw error;
  }
}
