import type { MutationKey, QueryClient } from '@tanstack/react-query';
import type { Fields } from './merge-fields.ts';
import { unknownEtag, type VersionedState } from './save-versioned.ts';

/**
 * The state on which a change is based that waited while others were sent: `shown` are the values
 * of its fields that the person saw. If somebody else has changed these meanwhile, the change does
 * not know the newest state.
 */
export function baseOfShown<T extends Fields>(
  { fields, etag }: VersionedState<T>,
  shown: Partial<T>,
): VersionedState<T> {
  const seen = { ...fields, ...shown };
  const isNewest = JSON.stringify(seen) === JSON.stringify(fields);
  return { fields: seen, etag: isNewest ? etag : unknownEtag };
}

/** The fields of a change as they are shown now: as saved, with one's own changes under way. */
export function pickShown<T extends Fields, Change extends Partial<T>>(
  queryClient: QueryClient,
  { saved, change, mutationKey }: { saved: T; change: Change; mutationKey: MutationKey },
): Partial<T> {
  const underWay = queryClient
    .getMutationCache()
    .findAll({ mutationKey, status: 'pending' })
    .map(({ state }) => (state.variables as { change: Partial<T> }).change);
  const shown: T = Object.assign({ ...saved }, ...underWay);
  return Object.fromEntries(
    Object.keys(change).map((name) => [name, shown[name]]),
  ) as unknown as Partial<T>;
}
