import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { addDays } from '#lib/dates.ts';
import { mapStores, type StoreName } from '#stores/profiles.ts';
import { sendAdsResponse } from './apple-ads/send-response.ts';
import { handleControl } from './control.ts';
import type { SimulatorCore } from './core.ts';
import { deliverWithFault } from './faults/deliver-with-fault.ts';
import { renameField, withoutFact } from './faults/field-faults.ts';
import { handleSideHost, refuse } from './faults/refusals.ts';
import {
  deliveries,
  responseMutations,
  type FaultTarget,
  type FaultRule,
} from './faults/fault-injector.ts';
import { BoundedCache } from './world/bounded-cache.ts';
import { respond, type SimulatedResponse } from './http/response.ts';
import type { ResponseContext, ResponseMutation } from './http/response-context.ts';
import { serveRecording } from './http/recordings.ts';
import { appleAdsHosts, readTarget, type StoreRequest } from './http/request.ts';
import type { RequestMarket } from './simulated-store.ts';
import { simulatedStores } from './stores.ts';
import type { World } from './world/world.ts';

const maxBodyBytes = 256 * 1024;
const smallestGzip = 860;

export interface HandlerOptions {
  core: SimulatorCore;
  compress: boolean;
}

export type Handle = (
  message: IncomingMessage,
  response: ServerResponse,
  listenerAddress: string,
) => Promise<void>;

/** Handles requests: control paths, throttling, faults, then the store's response. */
export function createHandler({ core, compress }: HandlerOptions): Handle {
  const createRoutes = (world: World) =>
    mapStores(({ id }) => simulatedStores[id].createRoutes(world));
  const routes = createRoutes(core.world);
  const withoutFacts = new BoundedCache<{ world: World; routes: typeof routes }>(20);
  /** The world of a rule with its routes, which render for that world alone. */
  const contentOf = (rule: FaultRule | null) => {
    if (rule?.fault !== 'field-null') return { world: core.world, routes };
    return withoutFacts.take(rule.field!, () => {
      const world = withoutFact(core.world, rule.field!);
      return { world, routes: createRoutes(world) };
    });
  };
  const cached = new BoundedCache<SimulatedResponse>(
    64 * 1024 * 1024,
    (made) => made.body.length + 200,
  );

  const send = (made: SimulatedResponse, request: StoreRequest, response: ServerResponse) => {
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

  const responseFor = (
    store: StoreName,
    request: StoreRequest,
    about: FaultTarget,
    rule: FaultRule | null,
  ): SimulatedResponse => {
    const recording = request.url.searchParams.get('fixture');
    if (recording !== null) return serveRecording(recording);
    const day = rule?.fault === 'stale' ? addDays(core.day(), -(rule.days ?? 1)) : core.day();
    const now = new Date(
      core.now().getTime() - (rule?.fault === 'stale' ? (rule.days ?? 1) * 86_400_000 : 0),
    );
    const mutation = responseMutations.includes(rule?.fault as ResponseMutation)
      ? (rule?.fault as ResponseMutation)
      : null;
    const content = contentOf(rule);
    const isGone = (id: string) => core.faultInjector.isGone(id, about);
    const context: ResponseContext = {
      request,
      url: request.url,
      world: content.world,
      day,
      now,
      mutation,
      isGone,
    };
    const cookie = core.world.settings.requireSessionCookie ? request.cookie : '';
    // Reviews appear by the second; everything else holds for a day.
    const instant = about.kind === 'reviews' ? now.getTime() : day;
    const key = [
      core.generation(),
      instant,
      mutation ?? rule?.fault ?? null,
      rule?.field ?? null,
      about.address,
      cookie,
      request.storefront,
      about.path,
      request.body,
    ].join('\n');
    return cached.take(key, () => {
      const made = content.routes[store](context) ?? notFound();
      return rule?.fault === 'field-renamed' ? renameField(made, rule.field!) : made;
    });
  };

  return async function handle(message, response, listenerAddress) {
    const request = await readRequest(message, listenerAddress);
    if (request.url.pathname.startsWith('/_sim/')) {
      send(handleControl(core, request.method, request.url, request.body), request, response);
      return;
    }
    const { method, host, store, address, cookie } = request;
    const path = request.url.pathname + request.url.search;
    const described = describeRequest(request);
    const about: FaultTarget = { ...described, store, host, address, path, cookie };
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
    if (appleAdsHosts.includes(host)) {
      record(sendAdsResponse(core.appleAds, request, message, response), null);
      return;
    }
    if (store === null) {
      const made = handleSideHost(request);
      record(made.status, null);
      send(made, request, response);
      return;
    }
    const isLimited = simulatedStores[store].hasAddressLimits && about.kind !== 'image';
    if (isLimited && core.limits?.admit(address, performance.now()) === false) {
      record(403, 'throttled');
      send({ status: 403, headers: {}, body: Buffer.alloc(0) }, request, response);
      return;
    }
    const rule = core.faultInjector.strike(about, core.now());
    const made = (rule && refuse(rule, request)) ?? responseFor(store, request, about, rule);
    record(rule?.fault === 'hang' ? 0 : made.status, rule?.fault ?? null);
    if (rule && deliveries.includes(rule.fault as (typeof deliveries)[number]))
      await deliverWithFault(rule, made, response);
    else send(made, request, response);
  };
}

const notFound = (): SimulatedResponse =>
  respond(404, 'html', '<html><body>404 Not Found</body></html>');

function describeRequest(request: StoreRequest): RequestMarket {
  return request.store === null
    ? { kind: 'other', country: null, phrase: null }
    : simulatedStores[request.store].describeRequest(request);
}

async function readRequest(
  message: IncomingMessage,
  listenerAddress: string,
): Promise<StoreRequest> {
  const client = message.headers['x-sim-client'];
  return {
    ...readTarget(message, simulatedStores),
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
