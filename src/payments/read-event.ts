import type { Stripe } from 'stripe';
import type { PaymentEvent } from '../domain/ports.ts';

const toleranceSeconds = 300;
/** After these a customer's subscription may be another. */
const aboutSubscriptions =
  /^(customer\.deleted$|customer\.subscription\.|checkout\.session\.|invoice\.)/;
/** What is signed is JSON, not always an event; the library's union of all events takes the compiler seconds. */
interface Signed {
  id?: unknown;
  type?: unknown;
  data?: { object?: unknown };
}

/** How ids and types are written; nothing else is kept of them. */
const name = /^[\w.]{1,255}$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What Stripe signed, to the byte and lately; null for anything else. */
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
  return { id, type, customer: aboutSubscriptions.test(type) ? customerOf(data?.object) : null };
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
