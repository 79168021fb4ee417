import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { alignDays } from '#web/components/periods/compared-span.ts';
import { useComparedSpan } from '#web/components/periods/use-compared-span.ts';
import type { Span } from '#web/queries/apps.ts';
import { historyQuery } from '#web/queries/keywords.ts';
import type { ComparedCells } from './history-chart.ts';

export interface ComparedHistory {
  /** Null if no period is compared. */
  span: Span | null;
  cells: ComparedCells | undefined;
  error: Error | null;
}

/** The history of the period in the address, by the days of `span`. */
export function useComparedHistory(keywordId: number, { from, to }: Span): ComparedHistory {
  const span = useComparedSpan({ from, to });
  const { data, error } = useQuery({
    ...historyQuery(keywordId, span ?? { from, to }),
    enabled: span !== null,
  });
  const cells = useMemo(
    () => (span && data ? alignDays({ from, to }, span, data.items) : undefined),
    [from, to, span, data],
  );
  return { span, cells, error: span && error };
}
