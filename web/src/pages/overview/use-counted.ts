import type { Counted } from '#web/queries/visibility.ts';
import { useSearchChoice } from '#web/search-value.ts';

/** The keywords that the visibility counts; the same ones on all days unless somebody chose all. */
export const useCounted = (): [Counted, (counted: Counted) => void] =>
  useSearchChoice('visibility', ['same', 'all']);
