import type { ResponseMutation } from './response-context.ts';

/** Mutations that withhold a part of a list of results. */
export const isWithholding = (mutation: ResponseMutation | null): boolean =>
  mutation === 'shorter' || mutation === 'halved' || mutation === 'thinned';

/**
 * The part of a list of `visible` results that a store shows which withholds the rest: the first
 * eighth, the first half, or every second result.
 */
export function withhold<Item>(
  items: readonly Item[],
  mutation: ResponseMutation | null,
  visible = items.length,
): readonly Item[] {
  const shown = items.slice(0, visible);
  if (mutation === 'shorter') return shown.slice(0, Math.ceil(visible / 8));
  if (mutation === 'halved') return shown.slice(0, Math.floor(visible / 2));
  if (mutation === 'thinned') return shown.filter((_, index) => index % 2 === 1);
  return items;
}
