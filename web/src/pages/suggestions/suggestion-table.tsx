import { Checkbox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { formatShortPosition } from '#web/components/format-position-text.ts';
import { PhraseWords } from '#web/components/phrase-words.tsx';
import { PublishedFigure } from '#web/components/published-figure.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import type { PhraseScore } from '#web/queries/scores.ts';
import type { Evidence, Suggestion } from '#web/queries/suggestions.ts';
import type { Market } from '#web/scope.ts';
import styles from './suggestions-page.module.css';
import { ScoreButton } from './score-button.tsx';
import { rowScoreOf, type RowScore } from './row-score.ts';
import { ScoreFigure, ScoreFigures } from './score-figures.tsx';
import { useFormatEvidence } from './use-format-evidence.ts';

interface Props {
  appId: number;
  market: Market;
  scores: ReadonlyMap<string, PhraseScore>;
  items: readonly Suggestion[];
  picked: ReadonlySet<string>;
  onToggle: (phrase: string) => void;
  tools: ReactNode;
}

interface Row {
  phrase: string;
  suggestion: Suggestion;
  score: RowScore | null;
  /** The scores requested in this tab, with their evidence. */
  requested: PhraseScore | undefined;
}

/**
 * On phones, reason, score and button are below the phrase, on tablets reason and button. On medium
 * screens the source column is hidden, because the evidence names it.
 */
export function SuggestionTable({ appId, market, scores, items, picked, onToggle, tools }: Props) {
  const { t } = useTranslation();
  const formatEvidence = useFormatEvidence();
  const isNarrow =
    useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;
  const isTablet =
    useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false }) ?? false;
  const isWide =
    useMediaQuery('(min-width: 90em)', true, { getInitialValueInEffect: false }) ?? true;
  const rows = useMemo(
    () =>
      items.map((suggestion): Row => {
        const requested = scores.get(suggestion.phrase);
        const score = rowScoreOf(suggestion, requested);
        return { phrase: suggestion.phrase, suggestion, score, requested };
      }),
    [items, scores],
  );
  const hasPublished = items.some(({ published }) => published !== null);
  const scoreOf = ({ phrase, requested, score, suggestion }: Row) =>
    !suggestion.alreadyTracked && (
      <>
        <ScoreButton
          appId={appId}
          market={market}
          phrase={phrase}
          score={requested}
          isScored={score !== null}
        />
        {!requested && <State suggestion={suggestion} />}
      </>
    );
  const notScored = <span title={t('suggestions.notScored')}>–</span>;
  const columns: DataColumn<Row>[] = [
    {
      id: 'pick',
      head: t('suggestions.pick'),
      cell: ({ phrase, suggestion }) =>
        suggestion.alreadyTracked ? (
          <span className={styles.tracked}>{t('suggestions.tracked')}</span>
        ) : (
          <Checkbox
            checked={picked.has(phrase)}
            aria-label={t('suggestions.pickOf', { phrase })}
            onChange={() => onToggle(phrase)}
          />
        ),
    },
    {
      id: 'phrase',
      head: t('column.phrase'),
      cell: (row) => (
        <>
          <span className={styles.phrase}>
            <PhraseWords phrase={row.phrase} words={row.suggestion.words} />
          </span>
          {isTablet && <Reasons evidence={row.suggestion.evidence} />}
          {isTablet && (
            <div className={styles.underPhrase}>
              {isNarrow && row.score && (
                <ScoreFigures score={row.score} kinds={['opportunity', 'position', 'difficulty']} />
              )}
              {isNarrow && row.suggestion.published && (
                <span>
                  {t('published.column')} <PublishedFigure published={row.suggestion.published} />
                </span>
              )}
              {scoreOf(row)}
            </div>
          )}
        </>
      ),
      sortBy: ({ phrase }) => phrase,
    },
    {
      id: 'traffic',
      head: t('suggestions.traffic'),
      cell: (row) =>
        row.suggestion.estTraffic === null && !row.score ? (
          notScored
        ) : (
          <ScoreFigure value={trafficOf(row)} range={trafficRangeOf(row)} />
        ),
      sortBy: trafficOf,
      isEnd: true,
    },
    ...listLimits('traffic', t('suggestions.traffic'), trafficRangeOf),
    ...(hasPublished
      ? [
          {
            id: 'published',
            head: t('published.column'),
            cell: ({ suggestion }: Row) => <PublishedFigure published={suggestion.published} />,
            sortBy: ({ suggestion }: Row) => suggestion.published?.popularity ?? null,
            csv: ({ suggestion }: Row) => suggestion.published?.popularity ?? null,
            isEnd: true,
            isCsvOnly: isNarrow,
          },
        ]
      : []),
    {
      id: 'difficulty',
      head: t('suggestions.difficulty'),
      cell: ({ score, suggestion }) =>
        score ? (
          <ScoreFigure value={score.difficulty} range={score.difficultyRange} />
        ) : (
          !suggestion.alreadyTracked && notScored
        ),
      sortBy: ({ score }) => score?.difficulty ?? null,
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    ...listLimits(
      'difficulty',
      t('suggestions.difficulty'),
      ({ score }) => score?.difficultyRange ?? null,
    ),
    {
      id: 'opportunity',
      head: t('suggestions.opportunity'),
      cell: ({ score, suggestion }) =>
        score ? <ScoreFigure value={score.opportunity} /> : !suggestion.alreadyTracked && notScored,
      sortBy: ({ score }) => score?.opportunity ?? null,
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    {
      id: 'position',
      head: t('suggestions.position'),
      cell: ({ score, suggestion }) =>
        score ? <PositionText cell={score} size="sm" /> : !suggestion.alreadyTracked && notScored,
      sortBy: ({ score }) => score?.position ?? null,
      csv: ({ score }) => (score ? formatShortPosition(score, t) : null),
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    ...(isTablet ? [] : [{ id: 'score', head: '', cell: scoreOf }]),
    {
      id: 'source',
      head: t('suggestions.source'),
      cell: ({ suggestion }) => t(`suggestions.sources.${suggestion.source}`),
      sortBy: ({ suggestion }) => suggestion.source,
      isCsvOnly: !isWide,
    },
    {
      id: 'why',
      head: t('suggestions.why'),
      cell: ({ suggestion }) => <Reasons evidence={suggestion.evidence} />,
      csv: ({ suggestion }) => suggestion.evidence.map(formatEvidence).join(' '),
      isCsvOnly: isTablet,
    },
  ];
  return (
    <DataTable
      label={t('suggestions.title')}
      rows={rows}
      columns={columns}
      keyOf={({ phrase }) => phrase}
      initialSort="-opportunity"
      tools={tools}
      fileName={`suggestions-${appId}-${market.country}-${market.device}`}
    />
  );
}

type Range = { low: number; high: number } | null;

const trafficOf = ({ score, suggestion }: Row) => score?.traffic ?? suggestion.estTraffic;

const trafficRangeOf = ({ score, suggestion }: Row): Range =>
  score ? score.trafficRange : suggestion.estTrafficRange;

/** The limits of a score with low confidence, for the CSV. */
function listLimits(id: string, head: string, rangeOf: (row: Row) => Range): DataColumn<Row>[] {
  const limit = (bound: 'low' | 'high', sign: string): DataColumn<Row> => ({
    id: `${id}-${bound}`,
    head: `${head} ${sign}`,
    cell: () => null,
    csv: (row) => rangeOf(row)?.[bound] ?? null,
    isCsvOnly: true,
  });
  return [limit('low', '≥'), limit('high', '≤')];
}

/** That a job has still to score it, or why it could not. */
function State({ suggestion: { score } }: { suggestion: Suggestion }) {
  const { t } = useTranslation();
  if (score?.state === 'waiting')
    return <span className={styles.state}>{t('suggestions.scoreQueued')}</span>;
  if (score?.failure)
    return (
      <span className={styles.state}>{t(`suggestions.scoreFailed.${score.failure.reason}`)}</span>
    );
  return null;
}

function Reasons({ evidence }: { evidence: readonly Evidence[] }) {
  const formatEvidence = useFormatEvidence();
  return (
    <ul className={styles.evidence}>
      {evidence.map((one) => (
        <li key={one.source} title={formatEvidence(one)}>
          {formatEvidence(one)}
        </li>
      ))}
    </ul>
  );
}
