import type { ResponseContext } from './http/response-context.ts';
import type { SimulatedResponse } from './http/response.ts';
import type { StoreTraits } from './world/store-traits.ts';
import type { World } from './world/world.ts';

/** The subject of a request, for the log and the fault rules. */
export interface RequestMarket {
  kind: string;
  country: string | null;
  phrase: string | null;
}

/** The parts of a request that a store reads. */
export interface RequestTarget {
  host: string;
  url: URL;
  /** `X-Apple-Store-Front`, or ''. */
  storefront: string;
  body: string;
}

/** One store: its content, its hosts and its responses. */
export interface SimulatedStore {
  traits: StoreTraits;
  hosts: readonly string[];
  /** The host of a path without one, as old libraries send it; null for an unknown path. */
  guessHost(path: string): string | null;
  describeRequest(target: RequestTarget): RequestMarket;
  /** The responses before any fault; null for an unknown path. */
  createRoutes(world: World): (context: ResponseContext) => SimulatedResponse | null;
  /** The store throttles addresses when the simulator runs with rate limits. */
  hasAddressLimits: boolean;
}
