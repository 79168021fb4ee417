import { z } from 'zod';
import { deleted, id, idParam, instant, listOf, paging, shownOnce, textOf } from './common.ts';
import { operationsOf } from './operation.ts';

const token = z
  .strictObject({
    id,
    name: z.string(),
    prefix: z.string().meta({ description: 'The first characters, to distinguish tokens.' }),
    readOnly: z.boolean(),
    createdAt: instant,
    expiresAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
    lastUsedIp: z.string().nullable(),
    revokedAt: instant.nullable(),
  })
  .meta({ id: 'Token' });

const name = textOf(60, z.string().trim().min(1));

export const tokens = operationsOf({
  'GET /tokens': {
    summary: 'List API tokens',
    description: 'Lists the API tokens of this account. Secrets are not included.',
    rateClass: 'read',
    showsAccess: true,
    readOnlyToken: true,
    query: z.strictObject(paging),
    responses: { 200: listOf(token) },
  },
  'POST /tokens': {
    summary: 'Create an API token',
    description:
      'Creates an API token. Its secret is in this response only. It needs a session, because a ' +
      'token could otherwise outlive its own end.',
    rateClass: 'write',
    readOnlyToken: false,
    sessionOnly: true,
    grantsAccess: true,
    idempotent: true,
    shownOnce: ['token'],
    body: z.strictObject({
      name,
      readOnly: z.boolean().default(false),
      expiresAt: instant.optional(),
    }),
    example: { name: 'continuous integration', readOnly: true },
    responses: { 201: z.strictObject({ ...token.shape, token: shownOnce }) },
  },
  'PATCH /tokens/{id}': {
    summary: 'Rename an API token',
    description: 'Changes the name of an API token. Its secret and its access stay as they are.',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    body: z.strictObject({ name }),
    example: { name: 'nightly report' },
    responses: { 200: token },
  },
  'DELETE /tokens/{id}': {
    summary: 'Revoke an API token',
    description: 'Revokes an API token. It stops working at once.',
    rateClass: 'write',
    readOnlyToken: false,
    revokesAccess: true,
    params: idParam,
    responses: { 200: deleted },
  },
});
