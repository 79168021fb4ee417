import { Checkbox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPosition } from '#lib/format-position.ts';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { PhraseWords } from '#web/components/phrase-words.tsx';
import { PublishedFigure } from '#web/components/published-figure.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import type { PhraseScore } from '#web/queries/scores.ts';
import type { Evidence, Suggestion } from '#web/queries/suggestions.ts';
import type { Market } from '#web/scope.ts';
import styles from './suggestions-page.module.css';
import { ScoreButton } from './score-button.tsx';
import { ScoreFigure, ScoreFigures, unsureRangeOf } from './score-figures.tsx';
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

interface Row extends Suggestion {
  /** The scores requested on this page. */
  score: PhraseScore | undefined;
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
      items.map((item): Row => ({
        ...item,
        score: hasOwnScores(item) ? undefined : scores.get(item.phrase),
      })),
    [items, scores],
  );
  const hasPublished = items.some(({ published }) => published !== null);
  const scoreOf = ({ phrase, score, alreadyTracked }: Row) =>
    !alreadyTracked && <ScoreButton appId={appId} market={market} phrase={phrase} score={score} />;
  const notScored = <span title={t('suggestions.notScored')}>–</span>;
  const columns: DataColumn<Row>[] = [
    {
      id: 'pick',
      head: t('suggestions.pick'),
      cell: ({ phrase, alreadyTracked }) =>
        alreadyTracked ? (
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
            <PhraseWords phrase={row.phrase} words={row.words} />
          </span>
          {isTablet && <Reasons evidence={row.evidence} />}
          {isTablet && (
            <div className={styles.underPhrase}>
              {isNarrow && row.score && (
                <ScoreFigures score={row.score} kinds={['difficulty', 'position']} />
              )}
              {isNarrow && row.published && (
                <span>
                  {t('published.column')} <PublishedFigure published={row.published} />
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
      cell: ({ estTraffic, estTrafficRange, score }) =>
        estTraffic === null && !score ? (
          notScored
        ) : (
          <ScoreFigure
            value={score?.traffic ?? estTraffic}
            range={trafficRangeOf({ estTrafficRange, score })}
          />
        ),
      sortBy: ({ estTraffic, score }) => score?.traffic ?? estTraffic,
      isEnd: true,
    },
    ...listLimits('traffic', t('suggestions.traffic'), trafficRangeOf),
    ...(hasPublished
      ? [
          {
            id: 'published',
            head: t('published.column'),
            cell: ({ published }: Row) => <PublishedFigure published={published} />,
            sortBy: ({ published }: Row) => published?.popularity ?? null,
            csv: ({ published }: Row) => published?.popularity ?? null,
            isEnd: true,
            isCsvOnly: isNarrow,
          },
        ]
      : []),
    {
      id: 'difficulty',
      head: t('suggestions.difficulty'),
      cell: ({ score, alreadyTracked }) =>
        score ? (
          <ScoreFigure value={score.difficulty} range={unsureRangeOf(score, 'difficulty')} />
        ) : (
          !alreadyTracked && notScored
        ),
      sortBy: ({ score }) => score?.difficulty ?? null,
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    ...listLimits('difficulty', t('suggestions.difficulty'), ({ score }) =>
      score ? unsureRangeOf(score, 'difficulty') : null,
    ),
    {
      id: 'opportunity',
      head: t('suggestions.opportunity'),
      cell: ({ score, alreadyTracked }) =>
        score ? <ScoreFigure value={score.opportunity} /> : !alreadyTracked && notScored,
      sortBy: ({ score }) => score?.opportunity ?? null,
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    {
      id: 'position',
      head: t('suggestions.position'),
      cell: ({ score, alreadyTracked }) =>
        score ? <PositionText cell={score} size="sm" /> : !alreadyTracked && notScored,
      sortBy: ({ score }) => score?.position ?? null,
      csv: ({ score }) => (score ? formatPosition(score) : null),
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    ...(isTablet ? [] : [{ id: 'score', head: '', cell: scoreOf }]),
    {
      id: 'source',
      head: t('suggestions.source'),
      cell: ({ source }) => t(`suggestions.sources.${source}`),
      sortBy: ({ source }) => source,
      isCsvOnly: !isWide,
    },
    {
      id: 'why',
      head: t('suggestions.why'),
      cell: ({ evidence }) => <Reasons evidence={evidence} />,
      csv: ({ evidence }) => evidence.map(formatEvidence).join(' '),
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

const trafficRangeOf = ({
  estTrafficRange,
  score,
}: Pick<Row, 'estTrafficRange' | 'score'>): Range =>
  score ? unsureRangeOf(score, 'traffic') : estTrafficRange;

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

/** A tracked phrase shows its saved scores. */
const hasOwnScores = ({ alreadyTracked, estTraffic }: Suggestion): boolean =>
  alreadyTracked && estTraffic !== null;

function Reasons({ evidence }: { evidence: readonly Evidence[] }) {
  const formatEvidence = useFormatEvidence();
  return (
    <ul className={styles.evidence}>
      {evidence.map((one) => (
        <li key={one.source}>{formatEvidence(one)}</li>
      ))}
    </ul>
  );
}
