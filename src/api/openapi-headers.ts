import type { Operation } from '#contract/operation.ts';
import type { Json } from './openapi-schemas.ts';

/** The headers an operation reads besides the credential. */
export function headersOf(key: string, { idempotent, signed, versioned }: Operation): Json[] {
  return [
    ...(idempotent ? [idempotencyKey] : []),
    ...(signed ? [stripeSignature] : []),
    ...(versioned && !key.startsWith('GET ') ? [ifMatch] : []),
  ];
}

const ifMatch: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the state on which the change is based. When somebody has changed it since, ' +
    'nothing is written and the response is 412. Without it the change applies to any state.',
  example: '"7Jq0pYd1sXw2LmZk"',
  schema: { type: 'string' },
};

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Repeating the request with the same key within 24 hours does nothing again and returns ' +
    'the first response, without secrets that are shown once.',
  example: '7b1c7d0e-5f0b-4f57-9c62-2f0f4a1f0c11',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
};

const stripeSignature: Json = {
  name: 'Stripe-Signature',
  in: 'header',
  required: true,
  description:
    'Signs the bytes of the body and the time; a signature older than 300 seconds is rejected.',
  example: 't=1795219200,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  schema: { type: 'string' },
};

const integer: Json = { type: 'integer', minimum: 0 };

/** In every response to a valid credential, on instances with plans. */
export const rateLimitHeaders: Record<string, Json> = {
  'RateLimit-Limit': {
    description: 'The allowance of the window closest to closing. Only on instances with plans.',
    schema: integer,
  },
  'RateLimit-Remaining': { description: 'The rest of that window.', schema: integer },
  'RateLimit-Reset': { description: 'Seconds until that window reopens.', schema: integer },
  'RateLimit-Policy': {
    description: 'The name, the allowance and the seconds of that window.',
    schema: { type: 'string' },
    example: '"read";q=300;w=60',
  },
};

export const rateLimitReferences = Object.fromEntries(
  Object.keys(rateLimitHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);
