import type { UtcDay } from '../../src/lib/dates.ts';
import type { World } from '../world/world.ts';
import type { StoreRequest } from './request.ts';

/** Faults that change what an answer says; the others change how it travels (faults/). */
export type Twist =
  | 'no-results'
  | 'shorter'
  | 'ds-shifted'
  | 'rpc-renamed'
  | 'index-moved'
  | 'null-payload'
  | 'soft-empty';

/** What a route of a store may look at. */
export interface AnswerContext {
  request: StoreRequest;
  url: URL;
  world: World;
  /** The day answered for: the virtual clock's, or an older one out of a stale cache. */
  day: UtcDay;
  /** The instant on that day: reviews come by the second. */
  now: Date;
  twist: Twist | null;
  /** True for an app that a fault has taken off this country's shelf. */
  isGone(storeAppId: string): boolean;
  origin: string;
}
