import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { ChartCard } from '#web/components/chart/chart-card.tsx';
import { alignDays } from '#web/components/periods/compared-span.ts';
import { PeriodChoiceField } from '#web/components/periods/period-choice-field.tsx';
import { useComparedSpan } from '#web/components/periods/use-compared-span.ts';
import { seriesColor } from '#web/components/chart/colors.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import type { Span } from '#web/queries/apps.ts';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import {
  formatCount,
  formatCountry,
  formatDay,
  formatDecimal,
  formatSigned,
  formatSpan,
} from '#web/format.ts';
import { ratingsQuery, type Ratings } from '#web/queries/reviews.ts';
import { readScope, spanOfScope } from '#web/scope.ts';
import { CountryChip } from '#web/components/country-chip.tsx';
import { findHistogram, groupByCountry, type CountryRating } from './country-ratings.ts';
import { buildRatingsChart } from './ratings-chart.ts';
import { Histogram } from './histogram.tsx';
import styles from './reviews-page.module.css';

const maxLines = 8;

export function RatingsTab({ appId }: { appId: number }) {
  const scope = readScope(useSearch({ strict: false }));
  const span = spanOfScope(scope);
  const query = useQuery(ratingsQuery(appId, scope.country, span));
  const comparedSpan = useComparedSpan(span);
  const before = useQuery({
    ...ratingsQuery(appId, scope.country, comparedSpan ?? span),
    enabled: comparedSpan !== null,
  });
  return (
    <Loaded query={query} height={[453, 538]}>
      {(ratings) => (
        <RatingCards
          ratings={ratings}
          appId={appId}
          span={span}
          comparedSpan={comparedSpan}
          before={comparedSpan ? before.data : undefined}
          error={comparedSpan && before.error}
        />
      )}
    </Loaded>
  );
}

interface RatingCardsProps {
  ratings: Ratings;
  appId: number;
  span: Span;
  comparedSpan: Span | null;
  /** The ratings of the compared period, once they are loaded. */
  before: Ratings | undefined;
  error: Error | null;
}

function RatingCards({ ratings, appId, span, comparedSpan, before, error }: RatingCardsProps) {
  const { t } = useTranslation();
  const { days } = ratings;
  const countries = useMemo(() => groupByCountry(days), [days]);
  const drawn = useMemo(() => {
    const ofBefore = Map.groupBy(before?.days ?? [], ({ country }) => country);
    return countries.slice(0, maxLines).map((row) => ({
      ...row,
      compared:
        comparedSpan && before
          ? alignDays(span, comparedSpan, ofBefore.get(row.country) ?? [])
          : undefined,
    }));
  }, [countries, before, span, comparedSpan]);
  const spec = useMemo(() => buildRatingsChart(drawn), [drawn]);
  const newest = findHistogram(countries);
  if (countries.length === 0)
    return (
      <Card title={t('reviews.ratings')}>
        <EmptyState
          icon={Star}
          title={t('reviews.noRatingsTitle')}
          text={t('reviews.noRatingsText')}
        />
      </Card>
    );
  return (
    <div className="stack">
      <ChartCard
        title={t('reviews.ratingByDay')}
        lead={
          countries.length > maxLines
            ? t('reviews.mostRated', { count: maxLines })
            : t('reviews.ratingLead')
        }
        label={t('reviews.ratingLabel', {
          countries: drawn
            .map((row) => `${formatCountry(row.country)} ${formatDecimal(row.last.rating!, 2)}`)
            .join(', '),
        })}
        spec={spec}
        tools={
          <>
            <PeriodChoiceField span={span} />
            {ratings.span.from !== span.from && (
              <p className="muted">{t('reviews.ratingsCut', { span: formatSpan(ratings.span) })}</p>
            )}
            {before && before.span.from !== comparedSpan?.from && (
              <p className="muted">{t('reviews.comparedCut', { span: formatSpan(before.span) })}</p>
            )}
            {error && <ErrorNotice error={error} title={t('periods.failed')} />}
          </>
        }
        legend={
          <ul className={styles.legend}>
            {drawn.map(({ country, last }, line) => (
              <li key={country}>
                <span
                  className={styles.lineKey}
                  style={{ borderColor: seriesColor(line) }}
                  aria-hidden
                />
                {formatCountry(country)} {formatDecimal(last.rating!, 2)}
              </li>
            ))}
            {before && <li>{t('periods.dashed')}</li>}
          </ul>
        }
        fileName={`ratings-${appId}`}
        table={{
          head: [
            t('reviews.by.day'),
            t('reviews.by.country'),
            t('reviews.rating'),
            t('reviews.ratingCount'),
          ],
          rows: days.map((day) => [day.date, day.country, day.rating, day.ratingCount]),
          formats: { 1: (value) => formatCountry(String(value)) },
        }}
      />
      <div className={styles.pair}>
        <CountryTable countries={countries} appId={appId} span={ratings.span} />
        {newest && <Histogram day={newest} />}
      </div>
    </div>
  );
}

interface CountryTableProps {
  countries: CountryRating[];
  appId: number;
  /** The days of the changes. */
  span: Span;
}

function CountryTable({ countries, appId, span }: CountryTableProps) {
  const { t } = useTranslation();
  const change = ({ first, last }: CountryRating) => last.rating! - first.rating!;
  const gained = ({ first, last }: CountryRating) =>
    last.ratingCount === null || first.ratingCount === null
      ? null
      : last.ratingCount - first.ratingCount;
  const columns: DataColumn<CountryRating>[] = [
    {
      id: 'country',
      head: t('reviews.by.country'),
      cell: (row) => <CountryChip code={row.country} />,
      sortBy: (row) => formatCountry(row.country),
    },
    {
      id: 'rating',
      head: t('reviews.rating'),
      cell: (row) => formatDecimal(row.last.rating!, 2),
      sortBy: (row) => row.last.rating,
      isEnd: true,
    },
    {
      id: 'change',
      head: t('reviews.change'),
      cell: (row) => formatChange(change(row)),
      sortBy: change,
      isEnd: true,
    },
    {
      id: 'ratingCount',
      head: t('reviews.ratingCount'),
      cell: (row) => (row.last.ratingCount === null ? '–' : formatCount(row.last.ratingCount)),
      sortBy: (row) => row.last.ratingCount,
      isEnd: true,
    },
    {
      id: 'gained',
      head: t('reviews.gained'),
      cell: (row) => {
        const more = gained(row);
        return more === null ? '–' : formatSigned(more);
      },
      sortBy: gained,
      isEnd: true,
    },
    {
      id: 'on',
      head: t('reviews.readOn'),
      cell: (row) => formatDay(row.last.date),
      sortBy: (row) => row.last.date,
      isEnd: true,
    },
  ];
  return (
    <Card
      title={t('reviews.byCountry')}
      lead={t('reviews.byCountryLead', { span: formatSpan(span) })}
    >
      <DataTable
        label={t('reviews.byCountry')}
        rows={countries}
        columns={columns}
        keyOf={(row) => row.country}
        initialSort="-ratingCount"
        fileName={`ratings-by-country-${appId}`}
      />
    </Card>
  );
}

const formatChange = (change: number): string =>
  Math.abs(change) < 0.005 ? '0' : `${change > 0 ? '+' : '−'}${formatDecimal(Math.abs(change), 2)}`;
