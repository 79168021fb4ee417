import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#contract/operation.ts';
import type { Ctx } from '#domain/base/context.ts';
import type { KeyedDatabases } from '#domain/base/with-idempotency-key.ts';
import { stringifyExact } from '#lib/json.ts';
import { versionOf } from '#lib/version-of.ts';
import { onResponseClosed } from '#lib/on-response-closed.ts';
import { pathOf } from '../path-of.ts';
import { ResponseOf, type Route, type RouteRequest, SerializedJson, HtmlPage } from '../route.ts';
import { isStreamed } from './bodies.ts';
import { callHandler } from './call-handler.ts';
import { refuseCursor, type PageQuery } from './cut-page.ts';
import { within } from './deadline.ts';
import { ClientLeftError } from './errors.ts';
import { runIdempotently } from './idempotency.ts';
import { readPrecondition } from './precondition.ts';
import { sendJson } from './send-json.ts';
import { sendPage } from './send-page.ts';
import { validateParts } from './validate.ts';

/** The database cancels a statement after 10 s. Store requests may wait for their pace. */
const timeoutsMs: Record<Operation['rateClass'], number> = {
  read: 15_000,
  write: 15_000,
  auth: 15_000,
  store: 120_000,
};

export function installRoutes(app: FastifyInstance, routes: readonly Route[]): void {
  for (const route of routes) {
    const [method, path] = route.key.split(' ') as [string, string];
    app.route({
      // HEAD is handled as GET, and Node leaves out the body.
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { key: route.key, operation: route.operation },
      ...(route.operation.bodyBytesMax && { bodyLimit: route.operation.bodyBytesMax }),
      handler: (request, reply) => response(route, request, reply),
    });
  }
}

async function response(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation } = route;
  const parts = validateParts(operation, {
    params: request.params,
    query: request.query,
    // The handler reads a streamed body.
    body: operation.streams && isStreamed(request.body) ? undefined : request.body,
  });
  if (operation.pages === 'one') refuseCursor(parts.query as PageQuery);
  let ending: AbortController | undefined;
  const input = {
    ...parts,
    ctx: contextOf(request, operation),
    // Created on demand: few requests need it and it is expensive.
    get signal() {
      return (ending ??= abortWhenLeft(reply)).signal;
    },
    raw: { request, reply },
  } as RouteRequest<Operation>;
  const run = async (): Promise<unknown> => {
    const handler = () => callHandler(route, pathOf(request), input);
    return operation.heavy ? readHeavily(request, input, handler) : handler();
  };
  const outcomeOf = async () => {
    try {
      return await inTime(request, operation, run());
    } catch (error) {
      // At the deadline the handler is still at work.
      ending?.abort(error);
      throw error;
    }
  };
  const handle = async () => readOutcome(operation, await outcomeOf());
  const runAsText = async (databases?: KeyedDatabases) => {
    // Transactions of this request alone mark its Idempotency-Key.
    Object.assign(input.ctx ?? {}, databases);
    const { status, body } = readOutcome(operation, await run());
    return { status, body: body.toString() };
  };
  if (operation.raw) {
    await handle();
    return reply;
  }
  if (operation.hasHtmlVariant) {
    const outcome: unknown = await outcomeOf();
    if (outcome instanceof HtmlPage) return sendPage(reply, outcome.html);
    const { status, body } = readOutcome(operation, outcome);
    return sendJson(request, reply, status, body);
  }
  if (operation.idempotent) {
    // The work goes on after the deadline, and its key stays claimed until it has ended.
    const keyed = runIdempotently(route, request, runAsText);
    const { status, body } = await inTime(request, operation, keyed);
    return sendJson(request, reply, status, body);
  }
  const { status, body, version } = await handle();
  return sendJson(request, reply, status, body, version);

  function readOutcome(
    of: Operation,
    outcome: unknown,
  ): { status: number; body: string | Buffer; version?: string | undefined } {
    const status =
      outcome instanceof ResponseOf ? outcome.status : Number(Object.keys(of.responses)[0]);
    const value: unknown = outcome instanceof ResponseOf ? outcome.body : outcome;
    if (request.server.api.validateResponses && !of.raw)
      validateResponse(
        route,
        status,
        value instanceof SerializedJson ? JSON.parse(value.bytes.toString()) : value,
      );
    if (value instanceof SerializedJson && value.release) reply.raw.once('close', value.release);
    if (of.raw) return { status, body: '' };
    if (value instanceof SerializedJson) return { status, body: value.bytes };
    const version = of.versioned && versionOf(value as object, of.versioned);
    return { status, body: stringifyExact(value), version };
  }
}

async function inTime<T>(
  request: FastifyRequest,
  { streams, rateClass }: Operation,
  work: Promise<T>,
): Promise<T> {
  const { api } = request.server;
  try {
    return await within(streams?.timeoutMs ?? timeLimitMs(request, rateClass), work);
  } finally {
    // The request may have revoked, suspended or replaced credentials. The next request must see
    // that, even after an error.
    if (!isSafe(request)) api.recent.forget();
  }
}

const timeLimitMs = (request: FastifyRequest, rateClass: Operation['rateClass']): number =>
  request.server.api.timeoutsMs?.[rateClass] ?? timeoutsMs[rateClass];

/** Ends when the client disconnects or the deadline passes, so that no work goes on for nobody. */
async function readHeavily(
  request: FastifyRequest,
  input: RouteRequest<Operation>,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const deadline = new AbortController();
  const signal = AbortSignal.any([input.signal, deadline.signal]);
  const { params, query, body }: Record<'params' | 'query' | 'body', unknown> = input;
  const { heavyReadRunner } = request.server.api;
  try {
    return await within(
      timeLimitMs(request, 'read'),
      heavyReadRunner.run(request, { params, query, body, signal }, work),
    );
  } finally {
    deadline.abort(new Error('the request has ended'));
  }
}

function isSafe({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function contextOf(request: FastifyRequest, operation: Operation): Ctx | null {
  if (request.identity === null) return null;
  const { services } = request.server.api;
  // A streamed response may hold a cursor, which needs a transaction.
  const appDb = isSafe(request) && !operation.raw ? services.readDb : services.appDb;
  const precondition = readPrecondition(request, operation);
  return { ...services, ...request.identity, appDb, precondition };
}

/** Aborts when the client disconnects before the response. */
function abortWhenLeft(reply: FastifyReply): AbortController {
  const controller = new AbortController();
  onResponseClosed(reply.raw, () => {
    if (!reply.raw.writableFinished) controller.abort(new ClientLeftError());
  });
  return controller;
}

/** Used in tests: throws when a response differs from its documentation. */
function validateResponse(route: Route, status: number, value: unknown): void {
  const schema = route.operation.responses[status];
  if (!schema) throw new Error(`${route.key} responded ${status}, which it does not document`);
  const result = schema.safeParse(value);
  if (!result.success)
    throw new Error(
      `${route.key} responded ${status} unlike its documentation: ` +
        `${JSON.stringify(result.error.issues).slice(0, 2_000)}`,
    );
}
