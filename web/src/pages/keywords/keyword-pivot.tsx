import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '../../api.ts';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import { HeatPosition, heatOrder } from '../../components/heat-position.tsx';
import { compareText, formatCountry } from '../../format.ts';
import { formatPosition } from '../../../../src/lib/format-position.ts';
import styles from './keyword-pivot.module.css';

interface PhraseRow {
  phrase: string;
  byCountry: ReadonlyMap<string, Keyword>;
}

function toRows(keywords: readonly Keyword[]): PhraseRow[] {
  const groups = Map.groupBy(keywords, ({ phrase }) => phrase);
  return [...groups].map(([phrase, rows]) => ({
    phrase,
    byCountry: new Map(rows.map((row) => [row.country, row])),
  }));
}

/** Phrases down, countries across, the newest position in the cells: one phrase everywhere at a glance. */
export function KeywordPivot({ keywords, appId }: { keywords: readonly Keyword[]; appId: number }) {
  const { t } = useTranslation();
  const rows = useMemo(() => toRows(keywords), [keywords]);
  const countries = useMemo(
    () => [...new Set(keywords.map(({ country }) => country))].toSorted(compareText),
    [keywords],
  );
  const columns = useMemo(
    (): DataColumn<PhraseRow>[] => [
      {
        id: 'phrase',
        head: t('column.phrase'),
        cell: ({ phrase }) => <bdi className={styles.phrase}>{phrase}</bdi>,
        sortBy: ({ phrase }) => phrase,
      },
      ...countries.map(columnOf),
    ],
    [countries, t],
  );
  return (
    <div className={styles.pivot}>
      <DataTable
        label={t('keywords.view.pivot')}
        rows={rows}
        columns={columns}
        keyOf={({ phrase }) => phrase}
        initialSort="phrase"
        sortName="by"
        fileName={`keyword-positions-${appId}`}
      />
    </div>
  );
}

/** A phrase that is not followed in the country leaves the cell empty and stands last. */
function columnOf(country: string): DataColumn<PhraseRow> {
  return {
    id: country,
    head: formatCountry(country),
    cell: ({ byCountry }) => {
      const keyword = byCountry.get(country);
      return keyword ? (
        <Link
          to="/keywords/$keywordId"
          params={{ keywordId: String(keyword.id) }}
          className={styles.cell}
        >
          <HeatPosition cell={keyword.latest} />
        </Link>
      ) : null;
    },
    sortBy: ({ byCountry }) => {
      const latest = byCountry.get(country)?.latest;
      return latest ? heatOrder(latest) : null;
    },
    csv: ({ byCountry }) => {
      const latest = byCountry.get(country)?.latest;
      return latest ? formatPosition(latest) : null;
    },
    isEnd: true,
  };
}
