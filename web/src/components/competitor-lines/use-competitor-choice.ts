import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { competitorsQuery, type Competitor } from '#web/queries/competitors.ts';
import { useSearchValue } from '#web/search-value.ts';

/** Beyond this, lines are hard to distinguish. */
const mostAtOnce = 5;

export interface CompetitorChoice {
  competitors: Competitor[];
  /** Those whose lines are shown, in the order of the list. */
  chosen: Competitor[];
  picked: number[];
  toggle: (id: number) => void;
  most: number;
  isFull: boolean;
  isLoaded: boolean;
  error: Error | null;
}

/** The competitors of the address, as in `competitors=3,5`. */
export function useCompetitorChoice(appId: number): CompetitorChoice {
  const [value, setValue] = useSearchValue('competitors');
  const { data, error } = useQuery(competitorsQuery(appId));
  const competitors = data?.items ?? [];
  // In the order of the list, so that the colour of a competitor does not change when a later one
  // is added or removed.
  const chosen = useMemo(() => {
    const requested = new Set((value ?? '').split(',').map(Number));
    return (data?.items ?? []).filter(({ id }) => requested.has(id)).slice(0, mostAtOnce);
  }, [data, value]);
  const picked = chosen.map(({ id }) => id);
  const choose = (ids: readonly number[]) => setValue(ids.join(',') || null);
  return {
    competitors,
    chosen,
    picked,
    toggle: (id) =>
      choose(picked.includes(id) ? picked.filter((other) => other !== id) : [...picked, id]),
    most: mostAtOnce,
    isFull: picked.length >= mostAtOnce,
    isLoaded: data !== undefined,
    error,
  };
}
