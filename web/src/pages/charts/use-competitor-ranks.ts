import { useQueries } from '@tanstack/react-query';
import { competitorColor } from '#web/components/chart/colors.ts';
import type { CompetitorChoice } from '#web/components/competitor-lines/use-competitor-choice.ts';
import type { Span } from '#web/queries/apps.ts';
import type { CategoryRank } from '#web/queries/charts.ts';
import { competitorRanksQuery } from '#web/queries/competitors.ts';
import type { SelectedCell } from './selected-cell.ts';

export interface CompetitorRanks {
  name: string;
  color: string;
  /** By day; days without a reading are missing. */
  ranks: Readonly<Record<string, CategoryRank>>;
}

/** The positions of the chosen competitors in a chart, as far as they are loaded. */
export function useCompetitorRanks(
  { chosen }: CompetitorChoice,
  { appId, cell, span }: { appId: number; cell: SelectedCell; span: Span },
): { competitors: CompetitorRanks[]; error: Error | null } {
  const { country, column } = cell;
  const { chart, category } = column;
  return useQueries({
    queries: chosen.map(({ id }) => competitorRanksQuery(appId, id, { country, chart, span })),
    combine: (results) => ({
      error: results.find((result) => result.error)?.error ?? null,
      competitors: results.flatMap(({ data }, index): CompetitorRanks[] => {
        if (!data) return [];
        const ofChart = data.items.filter(
          (rank) => (rank.category?.id ?? null) === (category?.id ?? null),
        );
        return [
          {
            name: chosen[index]!.name,
            color: competitorColor(index),
            ranks: Object.fromEntries(ofChart.map((rank) => [rank.date, rank])),
          },
        ];
      }),
    }),
  });
}
