import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '#web/api.ts';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { DeviceName } from '#web/components/device-name.tsx';
import { formatShortPosition } from '#web/components/format-position-text.ts';
import { HeatPosition, heatOrder } from '#web/components/heat-position.tsx';
import { PhraseWords, WordLegend, type Words } from '#web/components/phrase-words.tsx';
import { compareText, formatCountry } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { deviceIds, listingTexts } from '#stores/profiles.ts';
import type { TFunction } from 'i18next';
import styles from './keyword-pivot.module.css';

interface PhraseRow {
  phrase: string;
  device: string;
  words: Words | null;
  byCountry: ReadonlyMap<string, Keyword>;
}

function toRows(keywords: readonly Keyword[]): PhraseRow[] {
  const groups = Map.groupBy(keywords, ({ phrase, device }) => `${device} ${phrase}`);
  return [...groups.values()].map((rows) => ({
    phrase: rows[0]!.phrase,
    device: rows[0]!.device,
    words: mergeWords(rows),
    byCountry: new Map(rows.map((row) => [row.country, row])),
  }));
}

/** Each word with the first text that contains it in one of the countries, and these countries. */
function mergeWords(keywords: readonly Keyword[]): Words | null {
  const read = keywords.flatMap(({ country, words }) => (words ? [{ country, words }] : []));
  if (read.length === 0) return null;
  return read[0]!.words.map(({ word }, index) => {
    const fieldIn = ({ words }: (typeof read)[number]) => words[index]?.field ?? null;
    const field = listingTexts.find((name) => read.some((one) => fieldIn(one) === name)) ?? null;
    const countries = read.filter((one) => fieldIn(one) === field).map(({ country }) => country);
    return { word, field, countries: countries.toSorted(compareText) };
  });
}

interface Props {
  keywords: readonly Keyword[];
  /** Set while more keywords are loading, because a partial file would look complete. */
  isLoading: boolean;
  appId: number;
  hasOtherDevices: boolean;
}

/**
 * Phrases as rows, countries as columns, with the latest position in each cell. A phrase has a row
 * for each device.
 */
export function KeywordPivot({ keywords, isLoading, appId, hasOtherDevices }: Props) {
  const { t } = useTranslation();
  const store = useCurrentApp()?.store;
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
        cell: ({ phrase, words }) => (
          <span className={styles.phrase}>
            <PhraseWords phrase={phrase} words={words} />
          </span>
        ),
        sortBy: ({ phrase }) => phrase,
      },
      ...(hasOtherDevices ? [deviceColumn(t)] : []),
      ...countries.map((country) => columnOf(country, t)),
    ],
    [countries, hasOtherDevices, t],
  );
  return (
    <div className={styles.pivot}>
      <DataTable
        label={t('keywords.view.pivot')}
        rows={rows}
        columns={columns}
        keyOf={({ phrase, device }) => `${device} ${phrase}`}
        initialSort="phrase"
        sortName="by"
        fileName={`keyword-positions-${appId}`}
        wait={isLoading ? t('keywords.csvPending') : undefined}
      />
      <WordLegend store={store} />
      <p className={styles.note}>{t('keywords.pivotWords')}</p>
    </div>
  );
}

const deviceColumn = (t: TFunction): DataColumn<PhraseRow> => ({
  id: 'device',
  head: t('column.device'),
  cell: ({ device }) => <DeviceName device={device} />,
  sortBy: ({ device }) => deviceIds.indexOf(device),
  csv: ({ device }) => device,
});

/** If a phrase is not tracked in a country, its cell is empty and sorts last. */
function columnOf(country: string, t: TFunction): DataColumn<PhraseRow> {
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
      return latest ? formatShortPosition(latest, t) : null;
    },
    isEnd: true,
  };
}
