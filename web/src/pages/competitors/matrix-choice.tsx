import { Select, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CompetitorPicker } from '#web/components/competitor-lines/competitor-picker.tsx';
import { Filters } from '#web/components/filters.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { ToggleChip } from '#web/components/toggle-chip.tsx';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { useScope } from '#web/frame/use-scope.ts';
import type { Competitor } from '#web/queries/competitors.ts';
import { marketOf } from '#web/scope.ts';
import { useSearchText } from '#web/search-text.ts';
import { toggleItem, useSearchValue } from '#web/search-value.ts';
import styles from './competitors-page.module.css';
import { Matrix } from './matrix.tsx';
import { useMatrixKeywords } from './use-matrix-keywords.ts';

const maxCompetitors = 8;
const typingMs = 200;

interface Props {
  appId: number;
  competitors: Competitor[];
}

/** Those of the address, as in `competitors=3,5`, or the first of all. */
function choose(competitors: readonly Competitor[], value: string | null): Competitor[] {
  const requested = new Set((value ?? '').split(',').map(Number));
  const named = competitors.filter(({ id }) => requested.has(id));
  return (named.length > 0 ? named : competitors).slice(0, maxCompetitors);
}

const idsOf = (competitors: readonly Competitor[]) => competitors.map(({ id }) => id);

/** Chooses competitors and keywords, both kept in the address. */
export function MatrixChoice({ appId, competitors }: Props) {
  const { t } = useTranslation();
  const [chosenText, setChosenText] = useSearchValue('competitors');
  const [phrase, setPhrase] = useSearchValue('phrase');
  const [tag, setTag] = useSearchValue('tag');
  const { text, type } = useSearchText(phrase ?? '', (next) => setPhrase(next || null), typingMs);
  const total = useCurrentApp()?.counts?.keywords;
  const { query, keywords, tags, matching } = useMatrixKeywords(appId, {
    ...marketOf(useScope()),
    text: phrase ?? '',
    tag,
  });
  const chosen = choose(competitors, chosenText);
  const toggle = (id: number) =>
    setChosenText((latest) => {
      const next = toggleItem(idsOf(choose(competitors, latest)), id);
      return next.length === 0 ? latest : next.slice(0, maxCompetitors).join(',');
    });
  return (
    <>
      <Filters label={t('competitors.matrixFilters')}>
        <CompetitorPicker
          competitors={competitors}
          picked={idsOf(chosen)}
          onPick={toggle}
          most={maxCompetitors}
        />
        <TextInput
          data-search
          aria-label={t('competitors.matrixPhrase')}
          placeholder={t('competitors.matrixPhrase')}
          leftSection={<Search size={15} aria-hidden />}
          value={text}
          maxLength={100}
          onChange={(event) => type(event.currentTarget.value)}
        />
        {tags.length > 0 && (
          <Select
            aria-label={t('competitors.matrixTag')}
            placeholder={t('competitors.matrixTag')}
            value={tag}
            data={tags}
            onChange={setTag}
            searchable={tags.length > 8}
            clearable
            clearButtonProps={{ 'aria-label': t('competitors.matrixAnyTag') }}
          />
        )}
        {competitors.length > 1 && (
          <div className={styles.chosen} role="group" aria-label={t('competitors.matrixChosen')}>
            {chosen.map(({ id, name }) => (
              <ToggleChip
                key={id}
                pressed
                disabled={chosen.length === 1}
                onPress={() => toggle(id)}
              >
                <bdi>{name}</bdi>
              </ToggleChip>
            ))}
          </div>
        )}
      </Filters>
      <Loaded query={query} height={420}>
        {() => (
          <Matrix
            appId={appId}
            competitors={chosen}
            keywords={keywords}
            matching={matching}
            total={total ?? matching}
            isOutdated={query.isPlaceholderData}
            onMore={() => void query.fetchNextPage()}
          />
        )}
      </Loaded>
    </>
  );
}
