import { useQueries, useQuery } from '@tanstack/react-query';
import { useSearchValue } from '../../search-value.ts';
import type { Span } from '../../queries/apps.ts';
import { rivalHistoryQuery, rivalsQuery, type Rival } from '../../queries/rivals.ts';

export interface RivalHistory {
  id: number;
  name: string;
  /** By day; a null position is known only down to its depth. */
  places: Record<string, { position: number | null; depth: number }>;
}

/** As many lines as can be told apart. */
const mostAtOnce = 5;

export interface RivalChoice {
  rivals: Rival[];
  picked: number[];
  toggle: (id: number) => void;
  isFull: boolean;
  histories: RivalHistory[];
  error: Error | null;
}

/** The competitors whose lines are drawn, by the address: `rivals=3,5`. Those not read yet have no line yet. */
export function useRivalHistories(appId: number, keywordId: number, span: Span): RivalChoice {
  const [asked, setAsked] = useSearchValue('rivals');
  const { data, error } = useQuery(rivalsQuery(appId));
  const rivals = data?.items ?? [];
  const wanted = new Set((asked ?? '').split(',').map(Number));
  // In the order of the list, so that a competitor keeps its colour while others come and go after it.
  const chosen = rivals.filter(({ id }) => wanted.has(id)).slice(0, mostAtOnce);
  const picked = chosen.map(({ id }) => id);
  const toggle = (id: number) => {
    const next = picked.includes(id) ? picked.filter((other) => other !== id) : [...picked, id];
    setAsked(next.join(',') || null);
  };
  const { histories, failed } = useQueries({
    queries: chosen.map(({ id }) => rivalHistoryQuery(appId, id, keywordId, span)),
    combine: (results) => ({
      failed: results.find((result) => result.error)?.error ?? null,
      histories: results.flatMap((result, index): RivalHistory[] => {
        if (!result.data) return [];
        const places = Object.fromEntries(
          result.data.items.map(({ date, position, depth }) => [date, { position, depth }]),
        );
        return [{ id: chosen[index]!.id, name: chosen[index]!.name, places }];
      }),
    }),
  });
  return {
    rivals,
    picked,
    toggle,
    isFull: picked.length >= mostAtOnce,
    histories,
    error: error ?? failed,
  };
}
