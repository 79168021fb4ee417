import { Agent, ProxyAgent, type Dispatcher } from 'undici';

/** A way out to the stores. Each is an address of its own to them, so each is paced on its own. */
export interface EgressEndpoint {
  /** `direct`, or the proxy's host and port: never its user or password. */
  readonly name: string;
  readonly dispatcher: Dispatcher;
}

export interface EgressPool {
  readonly endpoints: readonly EgressEndpoint[];
  /** Names to choose from: those not resting after failing to connect, or all when every one rests. */
  usable(): string[];
  /** Those not resting; 0 when every one rests, though all are tried then. */
  healthyCount(): number;
  dispatcher(name: string): Dispatcher;
  /** Every endpoint, with how long it rests from now. */
  health(): { name: string; failuresInRow: number; restsForMs: number }[];
  worked(name: string): void;
  /** The way out itself failed (connect, reset, timeout), whatever the store would have said. */
  failed(name: string): void;
  close(): Promise<void>;
}

interface Health {
  failuresInRow: number;
  restUntilMs: number;
}

const failuresBeforeRest = 3;
const firstRestMs = 60_000;
const longestRestMs = 15 * 60_000;
const maxHeaderSize = 65_536;

/** Throws on an address that is not an http or https proxy; the message does not repeat it, as it may hold a password. */
export function createEgressPool(options: {
  proxies: readonly string[];
  nowMs?: () => number;
}): EgressPool {
  const nowMs = options.nowMs ?? (() => performance.now());
  const endpoints = nameEndpoints(options.proxies);
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  const health = new Map<string, Health>();
  const names = endpoints.map((endpoint) => endpoint.name);
  const listRested = () => names.filter((name) => (health.get(name)?.restUntilMs ?? 0) <= nowMs());

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
        const { failuresInRow, restUntilMs } = health.get(name) ?? {
          failuresInRow: 0,
          restUntilMs: 0,
        };
        return { name, failuresInRow, restsForMs: Math.max(0, Math.ceil(restUntilMs - nowMs())) };
      });
    },
    worked(name) {
      health.delete(name);
    },
    failed(name) {
      const failuresInRow = (health.get(name)?.failuresInRow ?? 0) + 1;
      const doublings = failuresInRow - failuresBeforeRest;
      const restMs =
        doublings < 0 ? 0 : Math.min(longestRestMs, firstRestMs * 2 ** Math.min(doublings, 10));
      health.set(name, { failuresInRow, restUntilMs: restMs === 0 ? 0 : nowMs() + restMs });
    },
    async close() {
      await Promise.all(endpoints.map((endpoint) => endpoint.dispatcher.destroy()));
    },
  };
}

function nameEndpoints(proxies: readonly string[]): EgressEndpoint[] {
  if (proxies.length === 0)
    return [{ name: 'direct', dispatcher: new Agent({ maxHeaderSize, pipelining: 1 }) }];
  const seen = new Map<string, number>();
  return proxies.map((proxy, index) => {
    const url = readProxy(proxy, index);
    const count = (seen.get(url.host) ?? 0) + 1;
    seen.set(url.host, count);
    const name = count === 1 ? url.host : `${url.host}#${count}`;
    return { name, dispatcher: new ProxyAgent({ uri: url.href, maxHeaderSize }) };
  });
}

function readProxy(proxy: string, index: number): URL {
  const url = URL.canParse(proxy) ? new URL(proxy) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new Error(`egress proxy number ${index + 1} is not an http:// or https:// address`);
  }
  return url;
}
