import { useQueries, useQuery } from '@tanstack/react-query';
import type { PositionAtDepth } from '#lib/format-position.ts';
import { useSearchValue } from '#web/search-value.ts';
import type { Span } from '#web/queries/apps.ts';
import {
  competitorHistoryQuery,
  competitorsQuery,
  type Competitor,
} from '#web/queries/competitors.ts';

export interface CompetitorHistory {
  id: number;
  name: string;
  /** By day. A null position is known only down to its depth. */
  positions: Record<string, PositionAtDepth>;
}

/** Beyond this, lines are hard to distinguish. */
const mostAtOnce = 5;

export interface CompetitorChoice {
  competitors: Competitor[];
  picked: number[];
  toggle: (id: number) => void;
  most: number;
  isFull: boolean;
  histories: CompetitorHistory[];
  error: Error | null;
}

/**
 * The competitors of the address, as in `competitors=3,5`, with those histories that are loaded.
 */
export function useCompetitorHistories(
  appId: number,
  keywordId: number,
  span: Span,
): CompetitorChoice {
  const [asked, setAsked] = useSearchValue('competitors');
  const { data, error } = useQuery(competitorsQuery(appId));
  const competitors = data?.items ?? [];
  const requested = new Set((asked ?? '').split(',').map(Number));
  // In the order of the list, so that the colour of a competitor does not change when a later one
  // is added or removed.
  const chosen = competitors.filter(({ id }) => requested.has(id)).slice(0, mostAtOnce);
  const picked = chosen.map(({ id }) => id);
  const choose = (ids: readonly number[]) => setAsked(ids.join(',') || null);
  const toggle = (id: number) =>
    choose(picked.includes(id) ? picked.filter((other) => other !== id) : [...picked, id]);
  const { histories, failed } = useQueries({
    queries: chosen.map(({ id }) => competitorHistoryQuery(appId, id, keywordId, span)),
    combine: (results) => ({
      failed: results.find((result) => result.error)?.error ?? null,
      histories: results.flatMap((result, index): CompetitorHistory[] => {
        if (!result.data) return [];
        const positions = Object.fromEntries(
          result.data.items.map(({ date, position, depth, resultCount }) => [
            date,
            { position, depth, resultCount },
          ]),
        );
        return [{ id: chosen[index]!.id, name: chosen[index]!.name, positions }];
      }),
    }),
  });
  return {
    competitors,
    picked,
    toggle,
    most: mostAtOnce,
    isFull: picked.length >= mostAtOnce,
    histories,
    error: error ?? failed,
  };
}
