import { z } from 'zod';
import { errorCatalogue, errorCodes, errorEnvelope } from '#contract/errors.ts';
import { apiVersion, operations, operationsByNoun } from '#contract/index.ts';
import { nounDescriptions } from '#contract/noun-descriptions.ts';
import type { Operation } from '#contract/operation.ts';
import { tokenPrefix } from '#domain/accounts/tokens/token-secret.ts';
import { guide } from './openapi-guide.ts';
import { rateLimitHeaders, rateLimitReferences } from './openapi-headers.ts';
import { parametersOf } from './openapi-parameters.ts';
import { schemaOf, type Json } from './openapi-schemas.ts';
import { isCacheable } from './plugins/is-cacheable.ts';
import { describeWebhooks } from './openapi-webhooks.ts';
import { worksWithoutPlan } from './plugins/works-without-plan.ts';

const nounOf = new Map(
  Object.entries(operationsByNoun).flatMap(([noun, operations]) =>
    Object.keys(operations).map((key) => [key, noun]),
  ),
);

/**
 * The OpenAPI 3.1 document of the whole API, made from the table of operations alone, without a
 * server or a database. Its server is the web origin without a path.
 */
export function buildOpenApi(): Json {
  const components: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  schemaOf(errorEnvelope, 'output', components);
  for (const [key, operation] of Object.entries<Operation>(operations)) {
    const [method, path] = key.split(' ') as [string, string];
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: describeOperation(key, operation, components),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Toprung',
      version: apiVersion,
      description: guide,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/backend', description: 'The web origin' }],
    security: [{ [tokenPrefix]: [] }, { session: [] }],
    tags: Object.entries(nounDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: describeWebhooks(components),
    components: {
      schemas: Object.fromEntries(
        Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
      securitySchemes: {
        [tokenPrefix]: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: tokenPrefix,
          description: 'A personal API token, created in the settings.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-toprung_session',
          description:
            'Set by signing in; `__Secure-toprung_session` below a path of `PUBLIC_URL`, and ' +
            '`toprung_session` over plain http.',
        },
      },
      headers: rateLimitHeaders,
      responses: Object.fromEntries(
        Object.entries(refusals).map(([name, status]) => [name, describeRefusal(status)]),
      ),
    },
  };
}

function describeOperation(
  key: string,
  operation: Operation,
  components: Record<string, Json>,
): Json {
  const parameters = parametersOf(key, operation, components);
  return {
    operationId: operationIdOf(key),
    summary: operation.summary,
    description: operation.description,
    tags: [nounOf.get(key)],
    'x-rate-class': operation.rateClass,
    'x-read-only-token': operation.readOnlyToken,
    ...(operation.onDemand && { 'x-on-demand': operation.onDemand }),
    ...(operation.rateClass === 'auth' && { security: [] }),
    ...(operation.sessionOnly && { security: [{ session: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && {
      requestBody: {
        required: !operation.body.isOptional(),
        content: {
          'application/json': {
            schema: schemaOf(operation.body, 'input', components),
            example: operation.example,
          },
        },
      },
    }),
    ...(operation.streams && {
      requestBody: {
        required: true,
        content: { [operation.streams.contentType]: { schema: {} } },
      },
    }),
    responses: { ...responsesOf(key, operation, components), ...refusalsOf(key, operation) },
  };
}

/** A response without a body: the content comes later. */
const isEmpty = (schema: z.ZodType): boolean => schema instanceof z.ZodVoid;

function responsesOf(key: string, operation: Operation, components: Record<string, Json>): Json {
  const types = operation.raw ? (operation.contentTypes ?? ['text/html']) : ['application/json'];
  const isTagged = operation.isTagged === true || isCacheable(key, operation);
  const done = Object.entries(operation.responses).map(([status, schema]) => [
    status,
    {
      description: meaningOf(Number(status)),
      headers: {
        ...rateLimitReferences,
        ...((isTagged || operation.versioned) &&
          status === '200' && { ETag: operation.versioned ? etagOfVersion : etag }),
        ...(isEmpty(schema) && retryAfter),
      },
      ...(!isEmpty(schema) && {
        content: {
          ...Object.fromEntries(
            types.map((type) => [type, { schema: schemaOf(schema, 'output', components) }]),
          ),
          ...(operation.hasHtmlVariant && { 'text/html': { schema: { type: 'string' } } }),
        },
      }),
    },
  ]);
  const unchanged = {
    description: 'Not modified: the content still has the `ETag` of `If-None-Match`.',
    headers: { ...rateLimitReferences, ETag: etag },
  };
  return { ...Object.fromEntries(done), ...(isTagged && { 304: unchanged }) };
}

const etag: Json = {
  description: 'Identifies the content; send it as `If-None-Match`.',
  schema: { type: 'string' },
};

const retryAfter: Record<string, Json> = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
};

const etagOfVersion: Json = {
  description:
    'Identifies the content; send it as `If-None-Match`, or as `If-Match` with a change of it.',
  schema: { type: 'string' },
};

function meaningOf(status: number): string {
  if (status === 202) return 'Accepted, not done yet: poll.';
  if (status === 201) return 'Created.';
  return status < 300 ? 'Done.' : 'Degraded.';
}

const refusals = {
  BadRequest: 400,
  Unauthenticated: 401,
  NoLivePlan: 402,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  ChangedMeanwhile: 412,
  TooLarge: 413,
  NotJson: 415,
  TooMany: 429,
  Failed: 500,
  Unavailable: 503,
};

function refusalsOf(key: string, operation: Operation): Json {
  const open = operation.rateClass === 'auth';
  // Accepting an invitation can hit the limits of the workspace's plan, although the caller has no
  // credential of that workspace.
  const isJoining = key === 'POST /auth/invites/{token}/accept';
  const omitted = new Set<string>([
    // A body is checked even when the operation expects none.
    ...(key.startsWith('GET ') ? ['TooLarge', 'NotJson'] : []),
    ...(operation.rateClass === 'read' || (open && !isJoining) || worksWithoutPlan(operation)
      ? ['NoLivePlan']
      : []),
    // A cookie is accepted only from our own pages, except for GET.
    ...(key.startsWith('GET ') &&
    operation.rateClass === 'read' &&
    operation.readOnlyToken &&
    !operation.role
      ? ['Forbidden']
      : []),
    // The page of a session may show another workspace.
    ...(open || operation.inAnyWorkspace ? ['Conflict'] : []),
    ...(operation.versioned && !key.startsWith('GET ') ? [] : ['ChangedMeanwhile']),
    ...(503 in operation.responses ? ['Unavailable'] : []),
  ]);
  const kept = Object.entries(refusals).filter(([name]) => !omitted.has(name));
  return Object.fromEntries(
    kept.map(([name, status]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}

function describeRefusal(status: number): Json {
  const codes = errorCodes.filter((code) => errorCatalogue[code].status === status);
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`).join('\n\n'),
    headers: {
      ...rateLimitReferences,
      ...((status === 429 || status === 503) && retryAfter),
      ...(status === 412 && { ETag: etagOfVersion }),
    },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

/** `GET /apps/{id}/rankings` → `getAppsByIdRankings`. */
function operationIdOf(key: string): string {
  const [method, path] = key.split(' ') as [string, string];
  const words = path
    .split(/[/-]/)
    .filter(Boolean)
    .map((word) => (word.startsWith('{') ? `by-${word.slice(1, -1)}` : word));
  return [
    method.toLowerCase(),
    ...words
      .flatMap((word) => word.split('-'))
      .map((word) => word[0]!.toUpperCase() + word.slice(1)),
  ].join('');
}
