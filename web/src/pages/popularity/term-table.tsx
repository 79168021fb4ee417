import { Checkbox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RankChange } from '#web/api.ts';
import { DataTable, type DataColumn, type Unread } from '#web/components/data-table.tsx';
import { Move } from '#web/components/move.tsx';
import { isTooLong } from '#web/components/phrase-rules.ts';
import { drawDescription, drawWords } from '#web/components/phrase-words.tsx';
import { formatCount } from '#web/format.ts';
import type { PopularityPeriod, PopularityTerm } from '#web/queries/popularity.ts';
import styles from './popularity-page.module.css';

interface Props {
  appId: number;
  set: PopularityPeriod;
  items: readonly PopularityTerm[];
  unread: Unread | undefined;
  /** Shows the genre of each term. */
  hasGenre: boolean;
  picked: ReadonlySet<string>;
  onToggle: (term: string) => void;
  tools: ReactNode;
}

/** On phones the figures are below the term. */
export function TermTable({ appId, set, items, unread, hasGenre, picked, onToggle, tools }: Props) {
  const { t } = useTranslation();
  const isNarrow =
    useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;
  const isWeek = set.granularity === 'week';
  const nameGenre = ({ genre }: PopularityTerm) => t(`popularity.genre.${genre}`);
  const columns: DataColumn<PopularityTerm>[] = [
    {
      id: 'pick',
      head: t('popularity.track'),
      cell: (row) => <Pick row={row} appId={appId} picked={picked} onToggle={onToggle} />,
    },
    {
      id: 'term',
      head: t('popularity.term'),
      cell: (row) => (
        <div className={styles.term}>
          <b title={row.original ?? undefined} dir="auto">
            {drawWords(row.term, row.words, t)}
          </b>
          {drawDescription(row.words, t)}
          {isNarrow && (
            <div className="muted">
              {t('popularity.rank')}: {formatCount(row.rankInGenre)}
              {hasGenre && ` · ${nameGenre(row)}`}
              <br />
              {t('popularity.value')}: {row.popularity}
            </div>
          )}
        </div>
      ),
      csv: ({ term }) => term,
    },
    {
      id: 'genre',
      head: t('popularity.genre'),
      cell: nameGenre,
      csv: ({ genre }) => genre,
      isCsvOnly: isNarrow || !hasGenre,
    },
    {
      id: 'rank',
      head: t('popularity.rank'),
      cell: ({ rankInGenre }) => <span className="num">{formatCount(rankInGenre)}</span>,
      csv: ({ rankInGenre }) => rankInGenre,
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    {
      id: 'change',
      head: t('popularity.change'),
      cell: (row) => <Move change={toChange(row)} />,
      csv: ({ ranksGained }) => ranksGained,
      isEnd: true,
    },
    {
      id: 'popularity',
      head: t('popularity.value'),
      cell: ({ popularity }) => <span className="num">{popularity}</span>,
      csv: ({ popularity }) => popularity,
      isEnd: true,
      isCsvOnly: isNarrow,
    },
    {
      id: 'popularityInGenre',
      head: t('popularity.inGenre'),
      cell: ({ popularityInGenre }) => <span className="num">{popularityInGenre}</span>,
      csv: ({ popularityInGenre }) => popularityInGenre,
      isEnd: true,
      isCsvOnly: isNarrow,
    },
  ];
  return (
    <DataTable
      label={t('popularity.terms')}
      rows={items}
      columns={columns}
      keyOf={({ genre, rankInGenre }) => `${genre} ${rankInGenre}`}
      fileName={`search-terms-${set.country}-${set.period.slice(0, isWeek ? 10 : 7)}`}
      tools={tools}
      unread={unread}
    />
  );
}

interface PickProps extends Pick<Props, 'appId' | 'picked' | 'onToggle'> {
  row: PopularityTerm;
}

function Pick({ row: { term, keywords }, appId, picked, onToggle }: PickProps) {
  const { t } = useTranslation();
  const own = keywords.find((keyword) => keyword.appId === appId);
  if (own)
    return (
      <Link
        to="/keywords/$keywordId"
        params={{ keywordId: String(own.keywordId) }}
        aria-label={t('popularity.trackedOf', { term })}
      >
        {t('popularity.tracked')}
      </Link>
    );
  // Commas separate phrases in the dialog.
  if (isTooLong(term) || /[,;]/.test(term))
    return <span className="muted">{t('popularity.untrackable')}</span>;
  return (
    <Checkbox
      checked={picked.has(term)}
      aria-label={t('popularity.trackOf', { term })}
      onChange={() => onToggle(term)}
    />
  );
}

function toChange({ ranksGained, isNew }: PopularityTerm): RankChange {
  const from = null;
  if (isNew) return { kind: 'entered', positionsGained: null, from };
  if (ranksGained === null) return { kind: 'unknown', positionsGained: null, from };
  const kind = ranksGained > 0 ? 'gained' : ranksGained < 0 ? 'lost' : 'same';
  return { kind, positionsGained: ranksGained, from };
}
