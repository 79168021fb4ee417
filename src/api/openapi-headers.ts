import type { Operation } from '../contract/operation.ts';
import type { Json } from './openapi-schemas.ts';

/** The headers that an operation reads besides the credential. */
export function headersOf({ idempotent, signed }: Operation): Json[] {
  return [...(idempotent ? [idempotencyKey] : []), ...(signed ? [stripeSignature] : [])];
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Repeating the request with the same key within 24 hours does nothing again and gives the first answer.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
};

const stripeSignature: Json = {
  name: 'Stripe-Signature',
  in: 'header',
  required: true,
  description:
    'Signs the bytes of the body and the time; older than 300 seconds it does not count.',
  schema: { type: 'string' },
};
