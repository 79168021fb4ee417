import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { addDays } from '../../src/lib/dates.ts';
import { answerControl } from '../control.ts';
import type { SimulatorCore } from '../core.ts';
import { deliverBadly } from '../faults/deliver.ts';
import { answerSideHost, refuse } from '../faults/refusals.ts';
import { deliveries, twists, type FaultedRequest, type FaultRule } from '../faults/rules.ts';
import { BoundedCache } from '../world/bounded-cache.ts';
import type { Answer } from './answer.ts';
import type { AnswerContext, Twist } from './answer-context.ts';
import { marketOf } from './market-of.ts';
import { answerRecording } from './recordings.ts';
import { readTarget, type StoreRequest } from './request.ts';
import { createStoreRoutes } from './store-routes.ts';

const maxBodyBytes = 256 * 1024;
const smallestGzip = 860;

export interface HandlerOptions {
  core: SimulatorCore;
  /** Address of the first listener, known once it listens. */
  origin: () => string;
  compress: boolean;
}

export type Handle = (
  message: IncomingMessage,
  response: ServerResponse,
  listenerAddress: string,
) => Promise<void>;

/** One request from reading to sending: control paths, throttling, faults, then the store's own answer. */
export function createHandler({ core, origin, compress }: HandlerOptions): Handle {
  const answerStore = createStoreRoutes(core.world, origin);
  const remembered = new BoundedCache<Answer>(64 * 1024 * 1024, (made) => made.body.length + 200);

  const send = (made: Answer, request: StoreRequest, response: ServerResponse) => {
    if (compress && request.acceptsGzip && made.body.length > smallestGzip) {
      const packed = (made.gzipped ??= gzipSync(made.body, { level: 1 }));
      response.writeHead(made.status, {
        ...made.headers,
        'content-encoding': 'gzip',
        'content-length': packed.length,
      });
      response.end(packed);
      return;
    }
    response
      .writeHead(made.status, { ...made.headers, 'content-length': made.body.length })
      .end(made.body);
  };

  const answerFor = (
    request: StoreRequest,
    about: FaultedRequest,
    rule: FaultRule | null,
  ): Answer => {
    const recording = request.url.searchParams.get('fixture');
    if (recording !== null) return answerRecording(recording);
    const day = rule?.fault === 'stale' ? addDays(core.day(), -(rule.days ?? 1)) : core.day();
    const now = new Date(
      core.now().getTime() - (rule?.fault === 'stale' ? (rule.days ?? 1) * 86_400_000 : 0),
    );
    const twist = twists.includes(rule?.fault as Twist) ? (rule?.fault as Twist) : null;
    const isGone = (id: string) => core.faultBook.isGone(id, about);
    const context: AnswerContext = {
      request,
      url: request.url,
      world: core.world,
      day,
      now,
      twist,
      isGone,
      origin: origin(),
    };
    const cookie = core.world.settings.requireSessionCookie ? request.cookie : '';
    // Reviews come by the second; everything else stands for a day.
    const instant = about.kind === 'reviews' ? now.getTime() : day;
    const key = [
      core.generation(),
      instant,
      twist,
      about.address,
      cookie,
      request.storefront,
      about.path,
      request.body,
    ].join('\n');
    return remembered.take(key, () => answerStore(context));
  };

  return async function handle(message, response, listenerAddress) {
    const request = await readRequest(message, listenerAddress);
    if (request.url.pathname.startsWith('/_sim/')) {
      send(answerControl(core, request.method, request.url, request.body), request, response);
      return;
    }
    const { method, host, store, address, cookie } = request;
    const path = request.url.pathname + request.url.search;
    const about: FaultedRequest = { ...marketOf(request), store, address, path, cookie };
    const record = (status: number, fault: string | null) => {
      const { kind, country, phrase } = about;
      core.requestLog.add({
        address,
        store,
        kind,
        method,
        host,
        path,
        country,
        phrase,
        status,
        fault,
      });
    };
    if (store === null) {
      const made = answerSideHost(request);
      record(made.status, null);
      send(made, request, response);
      return;
    }
    if (store === 'ios' && core.limits?.admit(address, performance.now()) === false) {
      record(403, 'throttled');
      send({ status: 403, headers: {}, body: Buffer.alloc(0) }, request, response);
      return;
    }
    const rule = core.faultBook.strike(about);
    const made = (rule && refuse(rule, request)) ?? answerFor(request, about, rule);
    record(rule?.fault === 'hang' ? 0 : made.status, rule?.fault ?? null);
    if (rule && deliveries.includes(rule.fault as (typeof deliveries)[number]))
      await deliverBadly(rule, made, response);
    else send(made, request, response);
  };
}

async function readRequest(
  message: IncomingMessage,
  listenerAddress: string,
): Promise<StoreRequest> {
  const client = message.headers['x-sim-client'];
  return {
    ...readTarget(message),
    method: message.method ?? 'GET',
    address: typeof client === 'string' && client !== '' ? client : listenerAddress,
    acceptsGzip: /\bgzip\b/.test(String(message.headers['accept-encoding'] ?? '')),
    cookie: message.headers.cookie ?? '',
    storefront: String(message.headers['x-apple-store-front'] ?? ''),
    body: message.method === 'POST' ? await readBody(message) : '',
  };
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error('body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
