import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { competitorsQuery, type Competitor } from '#web/queries/competitors.ts';
import { toggleItem, useSearchValue } from '#web/search-value.ts';

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

/**
 * In the order of the list, so that the colour of a competitor does not change when a later one is
 * added or removed.
 */
function choose(competitors: readonly Competitor[], value: string | null): Competitor[] {
  const requested = new Set((value ?? '').split(',').map(Number));
  return competitors.filter(({ id }) => requested.has(id)).slice(0, mostAtOnce);
}

const idsOf = (competitors: readonly Competitor[]) => competitors.map(({ id }) => id);

/** The competitors of the address, as in `competitors=3,5`. */
export function useCompetitorChoice(appId: number): CompetitorChoice {
  const [value, setValue] = useSearchValue('competitors');
  const { data, error } = useQuery(competitorsQuery(appId));
  const competitors = data?.items ?? [];
  const chosen = useMemo(() => choose(data?.items ?? [], value), [data, value]);
  const picked = idsOf(chosen);
  return {
    competitors,
    chosen,
    picked,
    toggle: (id) =>
      setValue((latest) =>
        toggleItem(idsOf(choose(competitors, latest)), id)
          .slice(0, mostAtOnce)
          .join(','),
      ),
    most: mostAtOnce,
    isFull: picked.length >= mostAtOnce,
    isLoaded: data !== undefined,
    error,
  };
}
