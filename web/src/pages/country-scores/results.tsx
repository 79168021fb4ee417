import { Button, Checkbox, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Filters } from '#web/components/filters.tsx';
import { WordLegend } from '#web/components/phrase-words.tsx';
import { compareText } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import type { CountryScore } from '#web/queries/country-scores.ts';
import { useSearchValue } from '#web/search-value.ts';
import { CountryScoreTable, keyOf } from './country-score-table.tsx';
import styles from './country-scores-page.module.css';
import { TrackBar } from './track-bar.tsx';

interface Props {
  appId: number;
  items: readonly CountryScore[];
}

const isTracked = ({ state }: CountryScore) => state === 'tracked';

/** The filtered results. A selection survives a change of the filters, but is tracked as shown. */
export function Results({ appId, items }: Props) {
  const { t } = useTranslation();
  const store = useCurrentApp()?.store;
  const filter = useFilter(items);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const shown = items.filter(filter.matches);
  const free = shown.filter((row) => !isTracked(row));
  const chosen = free.filter((row) => picked.has(keyOf(row)));
  const toggle = (row: CountryScore) => {
    const next = new Set(picked);
    if (!next.delete(keyOf(row))) next.add(keyOf(row));
    setPicked(next);
  };
  const unpick = (rows: readonly CountryScore[]) => {
    const left = new Set(rows.map(keyOf));
    setPicked((before) => new Set([...before].filter((key) => !left.has(key))));
  };
  return (
    <>
      {filter.fields}
      <TrackBar appId={appId} rows={chosen} onTracked={unpick} />
      <CountryScoreTable
        appId={appId}
        rows={shown}
        picked={picked}
        onToggle={toggle}
        tools={
          free.length > 0 && (
            <Button
              className={`touch ${styles.select}`}
              variant="default"
              size="compact-sm"
              onClick={() =>
                setPicked(chosen.length === free.length ? new Set() : new Set(free.map(keyOf)))
              }
            >
              {chosen.length === free.length
                ? t('countryScores.clear')
                : t('countryScores.selectAll', { count: free.length })}
            </Button>
          )
        }
      />
      <WordLegend store={store} />
    </>
  );
}

/** An amount from 0 to 100 in the address; null without one. */
function useAmount(name: string): [number | null, (value: string | number) => void] {
  const [text, setText] = useSearchValue(name);
  const amount = text !== null && /^\d{1,3}$/.test(text) ? Math.min(100, Number(text)) : null;
  return [amount, (value) => setText(value === '' ? null : String(value))];
}

function useFilter(items: readonly CountryScore[]) {
  const { t } = useTranslation();
  const [phrase, setPhrase] = useSearchValue('of');
  const [minTraffic, setMinTraffic] = useAmount('minTraffic');
  const [maxDifficulty, setMaxDifficulty] = useAmount('maxDifficulty');
  const [hides, setHides] = useSearchValue('hide');
  const phrases = [...new Set(items.map((item) => item.phrase))].toSorted(compareText);
  const fields = (
    <Filters label={t('countryScores.filters')}>
      <Select
        label={t('column.phrase')}
        data={phrases}
        value={phrase !== null && phrases.includes(phrase) ? phrase : null}
        placeholder={t('countryScores.filterAll')}
        onChange={setPhrase}
        searchable={phrases.length > 8}
        clearable
        clearButtonProps={{ 'aria-label': t('countryScores.filterAll') }}
      />
      <NumberInput
        label={t('countryScores.minTraffic')}
        value={minTraffic ?? ''}
        onChange={setMinTraffic}
        min={0}
        max={100}
        allowDecimal={false}
        hideControls
      />
      <NumberInput
        label={t('countryScores.maxDifficulty')}
        value={maxDifficulty ?? ''}
        onChange={setMaxDifficulty}
        min={0}
        max={100}
        allowDecimal={false}
        hideControls
      />
      <Checkbox
        className={styles.hide}
        label={t('countryScores.hideTracked')}
        checked={hides === 'tracked'}
        onChange={(event) => setHides(event.currentTarget.checked ? 'tracked' : null)}
      />
    </Filters>
  );
  const matches = (item: CountryScore) =>
    (phrase === null || !phrases.includes(phrase) || item.phrase === phrase) &&
    (minTraffic === null || (item.traffic ?? -1) >= minTraffic) &&
    (maxDifficulty === null || (item.difficulty ?? 101) <= maxDifficulty) &&
    !(hides === 'tracked' && isTracked(item));
  return { fields, matches };
}
