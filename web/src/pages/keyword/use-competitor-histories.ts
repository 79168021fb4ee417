import { useQueries } from '@tanstack/react-query';
import type { PositionAtDepth } from '#lib/format-position.ts';
import { competitorColor } from '#web/components/chart/colors.ts';
import type { CompetitorChoice } from '#web/components/competitor-lines/use-competitor-choice.ts';
import type { Span } from '#web/queries/apps.ts';
import { competitorHistoryQuery } from '#web/queries/competitors.ts';

export interface CompetitorHistory {
  id: number;
  name: string;
  color: string;
  /** By day. A null position is known only down to its depth. */
  positions: Record<string, PositionAtDepth>;
}

/** The histories of the chosen competitors that are loaded. */
export function useCompetitorHistories(
  { chosen }: CompetitorChoice,
  { appId, keywordId, span }: { appId: number; keywordId: number; span: Span },
): { histories: CompetitorHistory[]; error: Error | null } {
  return useQueries({
    queries: chosen.map(({ id }) => competitorHistoryQuery(appId, id, keywordId, span)),
    combine: (results) => ({
      error: results.find((result) => result.error)?.error ?? null,
      histories: results.flatMap((result, index): CompetitorHistory[] => {
        if (!result.data) return [];
        const positions = Object.fromEntries(
          result.data.items.map(({ date, position, depth, resultCount }) => [
            date,
            { position, depth, resultCount },
          ]),
        );
        const { id, name } = chosen[index]!;
        return [{ id, name, color: competitorColor(index), positions }];
      }),
    }),
  });
}
