import { Agent, Pool, ProxyAgent, type Dispatcher } from 'undici';
import type { EndpointHealth } from '#db/queries/pacing/endpoint-health.ts';

/** An egress address. Stores see each one as a client of its own, so each has its own pace. */
export interface EgressEndpoint {
  /** `direct`, or the proxy's host and port: never its user or password. */
  readonly name: string;
  readonly dispatcher: Dispatcher;
}

export interface EgressPool {
  readonly endpoints: readonly EgressEndpoint[];
  /**
   * Names of the endpoints to choose from: those available after failed connections, or all when
   * none is.
   */
  usable(): string[];
  /** The number of available endpoints; 0 when none is, though then all are tried. */
  healthyCount(): number;
  dispatcher(name: string): Dispatcher;
  /** Every endpoint, with the time until it is available again. */
  health(): { name: string; consecutiveFailures: number; unavailableForMs: number }[];
  worked(name: string): void;
  /** The endpoint itself failed (connect, reset, timeout), independent of the store. */
  failed(name: string): void;
  close(): Promise<void>;
}

interface Health {
  consecutiveFailures: number;
  unavailableUntilMs: number;
}

const maxConsecutiveFailures = 3;
const initialBackoffMs = 60_000;
const maxBackoffMs = 15 * 60_000;
/** As long as undici waits for a connection. */
const maxTunnelWaitMs = 10_000;
/**
 * Over HTTP/2 an aborted request ends its stream only, so further requests would join a connection
 * that died silently.
 */
const agentOptions = { maxHeaderSize: 65_536, pipelining: 1, allowH2: false };

/**
 * Throws on an address that is not an http or https proxy. The message omits the address, because
 * it may contain a password.
 */
export function createEgressPool(options: {
  proxies: readonly string[];
  nowMs?: () => number;
  /** Called when failures change, and once when an endpoint works for the first time. */
  onHealth?: (health: EndpointHealth) => void;
}): EgressPool {
  const { nowMs = () => performance.now(), onHealth = () => {} } = options;
  const endpoints = nameEndpoints(options.proxies);
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  const health = new Map<string, Health>();
  /** Endpoints that worked last. */
  const working = new Set<string>();
  const names = endpoints.map((endpoint) => endpoint.name);
  const listRested = () =>
    names.filter((name) => (health.get(name)?.unavailableUntilMs ?? 0) <= nowMs());

  return {
    endpoints,
    usable() {
      const rested = listRested();
      return rested.length > 0 ? rested : names;
    },
    healthyCount: () => listRested().length,
    dispatcher(name) {
      const endpoint = byName.get(name);
      if (endpoint === undefined) throw new Error(`no egress endpoint is named ${name}`);
      return endpoint.dispatcher;
    },
    health() {
      return endpoints.map(({ name }) => {
        const { consecutiveFailures, unavailableUntilMs } = health.get(name) ?? {
          consecutiveFailures: 0,
          unavailableUntilMs: 0,
        };
        return {
          name,
          consecutiveFailures,
          unavailableForMs: Math.max(0, Math.ceil(unavailableUntilMs - nowMs())),
        };
      });
    },
    worked(name) {
      if (working.has(name)) return;
      working.add(name);
      health.delete(name);
      onHealth({ endpoint: name, consecutiveFailures: 0, unavailableForMs: 0 });
    },
    failed(name) {
      working.delete(name);
      const known = health.get(name);
      // Requests that were under way by then, or had no other endpoint, fail for the same cause.
      if (known !== undefined && known.unavailableUntilMs > nowMs()) return;
      const consecutiveFailures = (known?.consecutiveFailures ?? 0) + 1;
      const doublings = consecutiveFailures - maxConsecutiveFailures;
      const restMs =
        doublings < 0 ? 0 : Math.min(maxBackoffMs, initialBackoffMs * 2 ** Math.min(doublings, 10));
      health.set(name, {
        consecutiveFailures,
        unavailableUntilMs: restMs === 0 ? 0 : nowMs() + restMs,
      });
      onHealth({ endpoint: name, consecutiveFailures, unavailableForMs: restMs });
    },
    async close() {
      await Promise.all(endpoints.map((endpoint) => endpoint.dispatcher.destroy()));
    },
  };
}

function nameEndpoints(proxies: readonly string[]): EgressEndpoint[] {
  if (proxies.length === 0) return [{ name: 'direct', dispatcher: new Agent(agentOptions) }];
  const seen = new Map<string, number>();
  return proxies.map((proxy, index) => {
    const url = readProxy(proxy, index);
    const count = (seen.get(url.host) ?? 0) + 1;
    seen.set(url.host, count);
    const name = count === 1 ? url.host : `${url.host}#${count}`;
    return { name, dispatcher: createProxyAgent(url) };
  });
}

function createProxyAgent(url: URL): ProxyAgent {
  return new ProxyAgent({
    ...agentOptions,
    uri: url.href,
    proxyTls: { allowH2: false },
    // A proxy that accepts a connection may never open the tunnel.
    clientFactory: (origin, options) =>
      new Pool(origin, { ...options, allowH2: false, headersTimeout: maxTunnelWaitMs }),
  });
}

function readProxy(proxy: string, index: number): URL {
  const url = URL.canParse(proxy) ? new URL(proxy) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new Error(`egress proxy number ${index + 1} is not an http:// or https:// address`);
  }
  return url;
}
