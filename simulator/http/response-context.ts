import type { UtcDay } from '#lib/dates.ts';
import type { World } from '../world/world.ts';
import type { StoreRequest } from './request.ts';

/** Faults that change the content of a response. Others change its delivery (faults/). */
export type ResponseMutation =
  | 'no-results'
  | 'shorter'
  | 'halved'
  | 'thinned'
  | 'ds-shifted'
  | 'rpc-renamed'
  | 'index-moved'
  | 'null-payload'
  | 'rpc-error'
  | 'soft-empty'
  | 'entries-withheld'
  | 'genre-ignored'
  | 'wrong-intent'
  | 'wrong-platform'
  | 'sections-split';

/** The context of a store's route. */
export interface ResponseContext {
  request: StoreRequest;
  url: URL;
  world: World;
  /** The day of the content: the virtual clock's, or an earlier one of a stale cache. */
  day: UtcDay;
  /** The instant on that day; reviews appear by the second. */
  now: Date;
  mutation: ResponseMutation | null;
  /** True for an app that a fault has removed from this country. */
  isGone(storeAppId: string): boolean;
}
