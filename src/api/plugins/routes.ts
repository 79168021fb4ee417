import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../contract/operation.ts';
import type { Ctx } from '../../domain/context.ts';
import { stringifyExact } from '../../lib/json.ts';
import { whenClosed } from '../../lib/when-closed.ts';
import { Answer, type Route, type RouteRequest, WrittenJson, WrittenPage } from '../route.ts';
import { within } from './deadline.ts';
import { answerKeyed } from './idempotency.ts';
import { sendJson } from './send-json.ts';
import { sendPage } from './send-page.ts';
import { validateParts } from './validate.ts';

/** The database gives up on a statement after 10 s; stores may take their turn. */
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
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { key: route.key, operation: route.operation },
      ...(route.operation.bodyBytesMax && { bodyLimit: route.operation.bodyBytesMax }),
      handler: (request, reply) => answer(route, request, reply),
    });
  }
}

async function answer(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation } = route;
  const parts = validateParts(operation, request);
  let signal: AbortSignal | undefined;
  const input = {
    ...parts,
    ctx: contextOf(request, operation),
    // Few want it, and it is not for nothing.
    get signal() {
      return (signal ??= signalOf(reply));
    },
    raw: { request, reply },
  } as RouteRequest<Operation>;
  const outcomeOf = async () => {
    try {
      return await within(timeoutsMs[operation.rateClass], Promise.resolve(route.handler(input)));
    } finally {
      // It may have revoked, suspended or handed over; refused or not, the next request sees it.
      if (request.method !== 'GET') request.server.api.recent.forget();
    }
  };
  const handle = async () => readOutcome(operation, await outcomeOf());
  const handleAsText = async () => {
    const { status, body } = await handle();
    return { status, body: body.toString() };
  };
  if (operation.raw) {
    await handle();
    return reply;
  }
  if (operation.orPage) {
    const outcome: unknown = await outcomeOf();
    if (outcome instanceof WrittenPage) return sendPage(reply, outcome.html);
    const { status, body } = readOutcome(operation, outcome);
    return sendJson(request, reply, status, body);
  }
  const { status, body } = operation.idempotent
    ? await answerKeyed(route.key, request, handleAsText)
    : await handle();
  return sendJson(request, reply, status, body);

  function readOutcome(of: Operation, outcome: unknown): { status: number; body: string | Buffer } {
    const status =
      outcome instanceof Answer ? outcome.status : Number(Object.keys(of.responses)[0]);
    const value: unknown = outcome instanceof Answer ? outcome.body : outcome;
    if (request.server.api.validateResponses && !of.raw)
      checkAnswer(
        route,
        status,
        value instanceof WrittenJson ? JSON.parse(value.bytes.toString()) : value,
      );
    if (value instanceof WrittenJson && value.giveBack) reply.raw.once('close', value.giveBack);
    if (of.raw) return { status, body: '' };
    return { status, body: value instanceof WrittenJson ? value.bytes : stringifyExact(value) };
  }
}

function contextOf(request: FastifyRequest, { raw }: Operation): Ctx | null {
  if (request.identity === null) return null;
  const { services } = request.server.api;
  // What is written piece by piece may hold a cursor, which needs a transaction.
  const appDb = request.method === 'GET' && !raw ? services.readDb : services.appDb;
  return { ...services, ...request.identity, appDb };
}

/** Aborted when the client goes away before it has its answer. */
function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  whenClosed(reply.raw, () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('the client went away'));
  });
  return controller.signal;
}

/** Tests only: an answer that is not as documented is our fault, and loud. */
function checkAnswer(route: Route, status: number, value: unknown): void {
  const schema = route.operation.responses[status];
  if (!schema) throw new Error(`${route.key} answered ${status}, which it does not document`);
  const result = schema.safeParse(value);
  if (!result.success)
    throw new Error(
      `${route.key} answered ${status} unlike its documentation: ${JSON.stringify(result.error.issues).slice(0, 2_000)}`,
    );
}
