import type { UtcDay } from '#lib/dates.ts';
import type { World } from '../world/world.ts';
import type { StoreRequest } from './request.ts';

/** Faults that change what an answer says; the others change how it travels (faults/). */
export type ResponseMutation =
  | 'no-results'
  | 'shorter'
  | 'ds-shifted'
  | 'rpc-renamed'
  | 'index-moved'
  | 'null-payload'
  | 'soft-empty';

/** The context of a store's route. */
export interface ResponseContext {
  request: StoreRequest;
  url: URL;
  world: World;
  /** The day answered for: the virtual clock's, or an older one out of a stale cache. */
  day: UtcDay;
  /** The instant on that day: reviews come by the second. */
  now: Date;
  mutation: ResponseMutation | null;
  /** True for an app that a fault has taken off this country's shelf. */
  isGone(storeAppId: string): boolean;
  origin: string;
}
