import type { z } from 'zod';
import { errorCatalogue, errorCodes, errorEnvelope } from '#contract/errors.ts';
import { apiVersion, operations } from '#contract/index.ts';
import type { Operation } from '#contract/operation.ts';
import { tokenPrefix } from '#domain/accounts/tokens/token-secret.ts';
import { headersOf } from './openapi-headers.ts';
import { schemaOf, type Json } from './openapi-schemas.ts';
import { describeWebhooks } from './openapi-webhooks.ts';

const tags: Record<string, string> = {
  service: 'Health, error codes and this document',
  auth: 'Sign-in and sessions',
  tokens: 'Personal API tokens',
  workspace: 'The workspace',
  apps: 'Tracked apps',
  store: 'Store lookups; nothing is stored',
  keywords: 'Keywords, each bound to one country and device',
  rankings: 'Positions by day',
  serp: 'Stored search results',
  jobs: 'Jobs and the daily budget',
  runs: 'Daily runs',
  scores: 'Traffic, difficulty and opportunity, with their evidence',
  competitors: 'Listings that an app is compared with',
  visibility: 'The visibility of an app over its keywords',
  reviews: 'Written reviews and ratings',
  charts: 'Top charts and category ranks',
  snapshots: 'Earlier versions of listings',
  changes: 'Listing changes and their impact',
  annotations: 'Annotations of days',
  'keyword-field': 'The keyword field of iOS apps',
  'keyword-suggestions': 'Phrases that people search for',
  tags: 'Tags of apps and keywords',
  actions: 'Suggested actions',
  alerts: 'Rules that turn facts into events',
  events: 'Events in order',
  webhooks: 'Deliveries of events',
  digests: 'The week on one page',
  exports: 'Data exports',
  settings: 'The workspace’s settings',
  billing: 'The workspace’s plan; only on instances with plans',
};

/**
 * The OpenAPI 3.1 document of the whole API, made from the table of operations alone, without a
 * server or a database.
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
      description:
        'True keyword positions on the iOS app store and the Android app store, every day. ' +
        'Times are UTC. A position is 1-based; ' +
        '`null` means checked and not found within the `depth` beside it. Integers may ' +
        'exceed 2^53−1 where a description says so.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/backend', description: 'The web origin' }],
    security: [{ [tokenPrefix]: [] }, { session: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
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
          description: 'Set by signing in; `toprung_session` over plain http.',
        },
      },
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
  const inAddress = [
    ...parametersOf('path', operation.params, components),
    ...parametersOf('query', operation.query, components),
  ];
  const parameters = [...inAddress, ...headersOf(operation)];
  return {
    operationId: operationIdOf(key),
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    tags: [tagOf(key)],
    'x-rate-class': operation.rateClass,
    'x-read-only-token': operation.readOnlyToken,
    ...(operation.onDemand && { 'x-on-demand': operation.onDemand }),
    ...(operation.rateClass === 'auth' && { security: [] }),
    ...(operation.sessionOnly && { security: [{ session: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(operation.body, 'input', components) } },
      },
    }),
    responses: { ...responsesOf(operation, components), ...refusalsOf(key, operation) },
  };
}

function responsesOf(operation: Operation, components: Record<string, Json>): Json {
  const types = operation.raw ? (operation.contentTypes ?? ['text/html']) : ['application/json'];
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, schema]) => [
      status,
      {
        description:
          Number(status) === 202
            ? 'Accepted, not done yet: poll'
            : Number(status) < 300
              ? 'Done'
              : 'Degraded',
        content: {
          ...Object.fromEntries(
            types.map((type) => [type, { schema: schemaOf(schema, 'output', components) }]),
          ),
          ...(operation.hasHtmlVariant && { 'text/html': { schema: { type: 'string' } } }),
        },
      },
    ]),
  );
}

const refusals = {
  BadRequest: 400,
  Unauthenticated: 401,
  NoLivePlan: 402,
  Forbidden: 403,
  NotFound: 404,
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
    ...(operation.rateClass === 'read' ||
    (open && !isJoining) ||
    operation.metered ||
    operation.revokesAccess
      ? ['NoLivePlan']
      : []),
    // A cookie is accepted only from our own pages, except for GET.
    ...(key.startsWith('GET ') &&
    operation.rateClass === 'read' &&
    operation.readOnlyToken &&
    !operation.role
      ? ['Forbidden']
      : []),
    ...(503 in operation.responses ? ['Unavailable'] : []),
  ]);
  const kept = Object.entries(refusals).filter(([name]) => !omitted.has(name));
  return Object.fromEntries(
    kept.map(([name, status]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}

function describeRefusal(status: number): Json {
  const codes = errorCodes.filter((code) => errorCatalogue[code].status === status);
  const retry = {
    'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`).join('\n\n'),
    ...((status === 429 || status === 503) && { headers: retry }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

function parametersOf(
  location: 'path' | 'query',
  schema: z.ZodType | undefined,
  components: Record<string, Json>,
): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input', components) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, member]) => {
    const { description, ...rest } = member;
    return {
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
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

function tagOf(key: string): string {
  const nouns = key
    .split(' ')[1]!
    .split('/')
    .filter((word) => word in tags);
  const [first] = nouns;
  return (
    nouns.findLast((noun) => noun === 'keywords' || noun === 'rankings' || noun === 'serp') ??
    first ??
    'service'
  );
}
