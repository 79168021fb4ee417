import type { Stripe } from 'stripe';
import type { PaymentEvent } from '#domain/base/ports.ts';

const toleranceSeconds = 300;
/** Events after which a customer's subscription may have changed. */
const subscriptionEventTypes =
  /^(customer\.deleted$|customer\.subscription\.|checkout\.session\.|invoice\.)/;
const deletionTypes = new Set(['customer.deleted', 'customer.subscription.deleted']);
/**
 * The signed body is JSON, though not always an event. The library's union of all events would take
 * the compiler seconds.
 */
interface Signed {
  id?: unknown;
  type?: unknown;
  data?: { object?: unknown };
}

/** The format of ids and types. Nothing else of an event is stored. */
const name = /^[\w.]{1,255}$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The event that Stripe signed, if its signature is valid and recent; null for anything else. */
export function readEvent(
  stripe: Stripe,
  secret: string,
  { body, signature, at }: { body: Uint8Array; signature: string; at: Date },
): PaymentEvent | null {
  let signed: unknown;
  try {
    signed = stripe.webhooks.constructEvent(
      utf8.decode(body),
      signature,
      secret,
      toleranceSeconds,
      undefined,
      at.getTime(),
    );
  } catch {
    return null;
  }
  const { id, type, data } = (signed ?? {}) as Signed;
  if (!isName(id) || !isName(type)) return null;
  return {
    id,
    type,
    customer: subscriptionEventTypes.test(type) ? customerOf(data?.object) : null,
    isRenewal: isRenewal(type, data?.object),
    isDeletion: deletionTypes.has(type),
  };
}

/** Other paid invoices are of a first period, a change of the price, or no subscription at all. */
function isRenewal(type: string, subject: unknown): boolean {
  if (type !== 'invoice.paid') return type === 'customer.subscription.resumed';
  const { billing_reason: reason } = (subject ?? {}) as { billing_reason?: unknown };
  return reason === 'subscription_cycle';
}

function customerOf(subject: unknown): string | null {
  const { object, id, customer } = (subject ?? {}) as {
    object?: unknown;
    id?: unknown;
    customer?: unknown;
  };
  const found = object === 'customer' ? id : customer;
  return isName(found) ? found : null;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && name.test(value);
}
