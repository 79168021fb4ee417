import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { competitorColor } from '#web/components/chart/colors.ts';
import { CompetitorChips } from '#web/components/competitor-lines/competitor-chips.tsx';
import { useCompetitorChoice } from '#web/components/competitor-lines/use-competitor-choice.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { formatCount, formatDecimal } from '#web/format.ts';
import type { Span } from '#web/queries/apps.ts';
import {
  competitorVisibilityQuery,
  type Competitor,
  type CompetitorVisibility as Visibility,
} from '#web/queries/competitors.ts';
import type { Counted } from '#web/queries/visibility.ts';
import type { MarketFilter } from '#web/scope.ts';
import type { CompetitorLine } from './visibility-chart.ts';

interface Props {
  appId: number;
  market: MarketFilter;
  span: Span;
  counted: Counted;
  /** The focus moves to the choice, because the button that opened it is gone. */
  hasFocus: boolean;
  children: (lines: CompetitorLine[], choice: ReactNode) => ReactNode;
}

/** The visibility of chosen competitors, and their choice. It loads when somebody opens it. */
export function CompetitorVisibility({
  appId,
  market,
  span,
  counted,
  hasFocus,
  children,
}: Props): ReactNode {
  const { t } = useTranslation();
  const choice = useCompetitorChoice(appId);
  const { chosen } = choice;
  const { loaded, error } = useQueries({
    queries: chosen.map(({ id }) =>
      competitorVisibilityQuery(appId, id, { market, span, keywords: counted }),
    ),
    combine: (results) => ({
      error: results.find((result) => result.error)?.error ?? null,
      loaded: results.map(({ data }) => data),
    }),
  });
  const lines = useMemo(
    () =>
      chosen.flatMap((competitor, index): CompetitorLine[] => {
        const visibility = loaded[index];
        return visibility ? [toLine(competitor, visibility, competitorColor(index), t)] : [];
      }),
    [chosen, loaded, t],
  );
  const nowhere = chosen
    .filter((_, index) => loaded[index]?.items.every(({ ranked }) => ranked === 0))
    .map(({ name }) => name);
  const keywords = loaded.find((visibility) => visibility !== undefined)?.inputs.keywords;
  return children(
    lines,
    <>
      <CompetitorChips choice={choice} nowhere={nowhere} hasFocus={hasFocus} />
      {choice.isLoaded && choice.competitors.length === 0 && (
        <span className="muted" role="status">
          {t('competitorLines.none')}{' '}
          <Link to="/apps/$appId/competitors" params={{ appId: String(appId) }}>
            {t('competitorLines.track')}
          </Link>
        </span>
      )}
      {keywords !== undefined && (
        <small className="muted">{t('competitorLines.note', { count: keywords })}</small>
      )}
      {(choice.error ?? error) && (
        <ErrorNotice error={(choice.error ?? error)!} title={t('competitorLines.failed')} />
      )}
    </>,
  );
}

function toLine(
  { name }: Competitor,
  { items }: Visibility,
  color: string,
  t: TFunction,
): CompetitorLine {
  const days = new Map(items.map((day) => [day.date, day]));
  return {
    name,
    color,
    indexes: new Map(items.map(({ date, index }) => [date, index])),
    describe(date) {
      const day = days.get(date);
      if (day?.index == null) return t('competitorLines.value', { name, index: '–' });
      const index = formatDecimal(day.index, 2);
      return day.checked === day.followed
        ? t('competitorLines.value', { name, index })
        : t('competitorLines.partly', {
            name,
            index,
            count: day.checked,
            all: formatCount(day.followed),
            own: formatDecimal(day.ownIndex ?? 0, 2),
          });
    },
  };
}
