import { keepCustomer } from '../../db/queries/payments.ts';
import { findBilling } from '../../db/queries/workspaces.ts';
import { inTenant, type Ctx, type Services } from '../context.ts';
import { explainSuspension } from '../workspaces/explain-suspension.ts';
import { AppError, notFound } from '../errors.ts';
import { PaymentError, type Payments, type PlanInterval, type PlanName } from '../ports.ts';

export interface Order {
  plan: PlanName;
  interval: PlanInterval;
}

/**
 * The address at which the plan is paid for; for who has a running subscription, the one at which that is changed: nobody pays twice.
 * `page` is where the provider leads back to. Throws not_found where nothing, or not this, is sold; workspace_suspended for a workspace
 * that is deleted; PaymentError.
 */
export async function startCheckout(ctx: Ctx, order: Order, page: string): Promise<string> {
  const payments = requirePayments(ctx);
  await requireKept(ctx);
  if (!payments.intervalsOf(order.plan).includes(order.interval))
    throw new AppError(
      'not_found',
      `The plan ${order.plan} is not sold by the ${order.interval} here.`,
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
  const returning = async (customer: string) => {
    const current = await payments.readSubscription(customer);
    return current?.standing === 'running'
      ? payments.portal({ customer, returnUrl: page })
      : checkout(customer);
  };
  const address = known === null ? null : await unlessUnknown(() => returning(known));
  return address ?? checkout(await makeCustomer(ctx, payments, known));
}

/** The address of the provider's page with the plan, the invoices and the cards. Throws not_found before anything was bought; PaymentError. */
export async function openPortal(ctx: Ctx, page: string): Promise<string> {
  const payments = requirePayments(ctx);
  const customer = await findCustomer(ctx);
  const address =
    customer === null
      ? null
      : await unlessUnknown(() => payments.portal({ customer, returnUrl: page }));
  if (address === null) throw new AppError('not_found', 'No plan was bought here yet.');
  return address;
}

/** Nobody pays for a workspace that is deleted. Throws PaymentError; then what was bought goes on. */
export async function stopPaying(ctx: Services & { workspaceId: number }): Promise<void> {
  const customer = await findCustomer(ctx);
  if (customer === null || ctx.payments === null) return;
  const { payments } = ctx;
  await unlessUnknown(() => payments.forget(customer));
}

function requirePayments({ payments }: Ctx): Payments {
  if (payments === null)
    throw new AppError('not_found', 'This instance takes no payments; ask who runs it.');
  return payments;
}

async function requireKept(ctx: Ctx): Promise<void> {
  const row = await inTenant(ctx, (tx) => findBilling(tx, ctx.workspaceId));
  if (row?.deleteAt) throw await explainSuspension(ctx, ctx.workspaceId);
}

async function findCustomer(ctx: Pick<Ctx, 'appDb' | 'workspaceId'>): Promise<string | null> {
  const row = await inTenant(ctx, (tx) => findBilling(tx, ctx.workspaceId));
  return row?.paymentCustomer ?? null;
}

/** Kept before anybody pays: events are about customers. Of two who make one at the same time, both go on with the same. */
async function makeCustomer(ctx: Ctx, payments: Payments, before: string | null): Promise<string> {
  const customer = await payments.createCustomer({
    workspaceId: ctx.workspaceId,
    email: ctx.actor.email,
  });
  const kept = await inTenant(ctx, (tx) => keepCustomer(tx, ctx.workspaceId, { customer, before }));
  if (kept === null) throw notFound();
  return kept;
}

/** Null when the provider does not have the customer any more, or never had: its keys are others now. */
async function unlessUnknown<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof PaymentError && error.failure === 'unknown_customer') return null;
    throw error;
  }
}
