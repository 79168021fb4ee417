import { Checkbox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CountryChip } from '#web/components/country-chip.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { formatShortPosition } from '#web/components/format-position-text.ts';
import { PhraseWords } from '#web/components/phrase-words.tsx';
import { PublishedFigure } from '#web/components/published-figure.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import { formatCountry } from '#web/format.ts';
import type { CountryScore } from '#web/queries/country-scores.ts';
import styles from './country-scores-page.module.css';
import { RowState } from './row-state.tsx';
import { ScoreFigure } from './score-figure.tsx';

interface Props {
  appId: number;
  rows: readonly CountryScore[];
  picked: ReadonlySet<string>;
  onToggle: (row: CountryScore) => void;
  tools: ReactNode;
}

export const keyOf = ({ phrase, country }: CountryScore): string => `${country} ${phrase}`;

/** Null before the first result; `depth` says how many results were examined. */
const rankOf = ({ position, depth }: CountryScore) => (depth === null ? null : { position, depth });
const toRange = (range: { low: number; high: number } | null) =>
  range && `${range.low}–${range.high}`;

/** On phones, the figures besides the opportunity are below the phrase. */
export function CountryScoreTable({ appId, rows, picked, onToggle, tools }: Props) {
  const { t } = useTranslation();
  const isNarrow =
    useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;
  const hasPublished = rows.some(({ published }) => published !== null);
  const figure = (row: CountryScore, kind: 'traffic' | 'difficulty') => (
    <ScoreFigure
      value={row[kind]}
      range={row.confidences?.[kind] === 'low' ? row.ranges[kind] : null}
    />
  );
  const columns: DataColumn<CountryScore>[] = [
    {
      id: 'pick',
      head: t('countryScores.pick'),
      cell: (row) =>
        row.state !== 'tracked' && (
          <Checkbox
            checked={picked.has(keyOf(row))}
            aria-label={t('countryScores.pickOf', {
              phrase: row.phrase,
              country: formatCountry(row.country),
            })}
            onChange={() => onToggle(row)}
          />
        ),
    },
    {
      id: 'phrase',
      head: t('column.phrase'),
      cell: (row) => (
        <>
          <span className={styles.phrase}>
            <PhraseWords phrase={row.phrase} words={row.words} />
          </span>
          {isNarrow && (
            <div className={styles.under}>
              <CountryChip code={row.country} named />
              <dl className={styles.figures}>
                <dt>{t('countryScores.opportunity')}</dt>
                <dd>
                  <ScoreFigure value={row.opportunity} range={null} />
                </dd>
                <dt>{t('score.traffic')}</dt>
                <dd>{figure(row, 'traffic')}</dd>
                <dt>{t('countryScores.difficulty')}</dt>
                <dd>{figure(row, 'difficulty')}</dd>
                {row.published && (
                  <>
                    <dt>{t('published.column')}</dt>
                    <dd>
                      <PublishedFigure published={row.published} />
                    </dd>
                  </>
                )}
                <dt>{t('column.position')}</dt>
                <dd>
                  <PositionText cell={rankOf(row)} size="sm" />
                </dd>
              </dl>
              <RowState row={row} />
            </div>
          )}
        </>
      ),
      sortBy: ({ phrase }) => phrase,
    },
    {
      id: 'country',
      head: t('column.country'),
      cell: ({ country }) => <CountryChip code={country} named />,
      sortBy: ({ country }) => formatCountry(country),
      csv: ({ country }) => country,
      isCsvOnly: isNarrow,
    },
    {
      id: 'opportunity',
      head: t('countryScores.opportunity'),
      cell: ({ opportunity, trafficBasis }) => (
        <strong title={trafficBasis ? t(`trafficBasis.${trafficBasis}`) : undefined}>
          <ScoreFigure value={opportunity} range={null} />
        </strong>
      ),
      sortBy: ({ opportunity }) => opportunity,
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    {
      id: 'traffic',
      head: t('score.traffic'),
      cell: (row) => figure(row, 'traffic'),
      sortBy: ({ traffic }) => traffic,
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    {
      id: 'trafficBasis',
      head: t('countryScores.trafficBasis'),
      cell: () => null,
      csv: ({ trafficBasis }) => trafficBasis,
      isCsvOnly: true,
    },
    {
      id: 'trafficRange',
      head: t('countryScores.trafficRange'),
      cell: () => null,
      csv: ({ ranges }) => toRange(ranges.traffic),
      isCsvOnly: true,
    },
    {
      id: 'difficulty',
      head: t('countryScores.difficulty'),
      cell: (row) => figure(row, 'difficulty'),
      sortBy: ({ difficulty }) => difficulty,
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    {
      id: 'difficultyRange',
      head: t('countryScores.difficultyRange'),
      cell: () => null,
      csv: ({ ranges }) => toRange(ranges.difficulty),
      isCsvOnly: true,
    },
    {
      id: 'confidence',
      head: t('score.confidence'),
      cell: () => null,
      csv: ({ confidences }) => confidences && `${confidences.traffic}, ${confidences.difficulty}`,
      isCsvOnly: true,
    },
    ...(hasPublished
      ? [
          {
            id: 'published',
            head: t('published.column'),
            cell: ({ published }: CountryScore) => <PublishedFigure published={published} />,
            sortBy: ({ published }: CountryScore) => published?.popularity ?? null,
            isEnd: true,
            isCsvOnly: isNarrow,
          },
        ]
      : []),
    {
      id: 'position',
      head: t('column.position'),
      cell: (row) => <PositionText cell={rankOf(row)} size="sm" />,
      sortBy: ({ position }) => position,
      csv: (row) => {
        const rank = rankOf(row);
        return rank && formatShortPosition(rank, t);
      },
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    {
      id: 'depth',
      head: t('countryScores.depth'),
      cell: () => null,
      csv: ({ depth }) => depth,
      isCsvOnly: true,
    },
    {
      id: 'state',
      head: t('countryScores.state'),
      cell: (row) => <RowState row={row} />,
      sortBy: ({ state }) => t(`countryScores.states.${state}`),
      isCsvOnly: isNarrow,
    },
    {
      id: 'scoredAt',
      head: t('countryScores.scoredAt'),
      cell: () => null,
      csv: ({ scoredAt }) => scoredAt,
      isCsvOnly: true,
    },
  ];
  return (
    <DataTable
      label={t('countryScores.results')}
      rows={rows}
      columns={columns}
      keyOf={keyOf}
      initialSort="-opportunity"
      fileName={`country-scores-${appId}`}
      tools={tools}
    />
  );
}
