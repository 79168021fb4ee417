import type { Operation } from '#contract/operation.ts';
import type { Json } from './openapi-schemas.ts';

/** The headers an operation reads besides the credential. */
export function headersOf({ idempotent, signed }: Operation): Json[] {
  return [...(idempotent ? [idempotencyKey] : []), ...(signed ? [stripeSignature] : [])];
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Repeating the request with the same key within 24 hours does nothing again and returns ' +
    'the first response, without secrets that are shown once.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
};

const stripeSignature: Json = {
  name: 'Stripe-Signature',
  in: 'header',
  required: true,
  description:
    'Signs the bytes of the body and the time; a signature older than 300 seconds is rejected.',
  schema: { type: 'string' },
};
