import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Lightbulb, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { formatMarket } from '#web/format.ts';
import { WordLegend } from '#web/components/phrase-words.tsx';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { useScope } from '#web/frame/use-scope.ts';
import { suggestionsQuery, type Asked, type Suggestions } from '#web/queries/suggestions.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useSearchChoice, useSearchValue } from '#web/search-value.ts';
import { defaultDeviceOf } from '#stores/profiles.ts';
import { AddBar } from './add-bar.tsx';
import { Allowance } from './allowance.tsx';
import { isUnscored, isWaiting } from './row-score.ts';
import styles from './suggestions-page.module.css';
import { usePhraseScores } from './use-phrase-scores.ts';
import { useBackgroundScores } from './use-request-scores.ts';
import { ScoreAnnouncements } from './score-announcements.tsx';
import { ScoreManyButton } from './score-many-button.tsx';
import { ScorePhraseForm } from './score-phrase-form.tsx';
import { ScoringProgress } from './scoring-progress.tsx';
import { SuggestionTable } from './suggestion-table.tsx';
import { ListSettings, useIsScoredInBackground } from './list-settings.tsx';

const sources = ['all', 'autocomplete', 'listing', 'competitors', 'serp'] as const;

export function SuggestionsPage() {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const app = useCurrentApp();
  const scope = useScope();
  const market = app && {
    country: scope.country ?? app.primaryCountry,
    device: scope.device ?? defaultDeviceOf(app.store),
  };
  const [seed, setSeed] = useSearchValue('seed');
  const [source, setSource] = useSearchChoice('source', sources);
  const [text, setText] = useState(seed ?? '');
  const [shown, setShown] = useState(seed);
  // The address changes by Back and by saved views, too. The input stays and keeps its focus.
  if (shown !== seed) {
    setShown(seed);
    setText(seed ?? '');
  }
  const isNarrow = useIsNarrow();
  const choices = sources.map((value) => ({ value, label: t(`suggestions.sources.${value}`) }));
  return (
    <>
      <PageHead title={t('suggestions.title')} lead={t('suggestions.lead')} isLeadOptional />
      <form
        className={styles.ask}
        role="search"
        aria-label={t('suggestions.title')}
        onSubmit={(event) => {
          event.preventDefault();
          setSeed(text.trim() || null);
        }}
      >
        <TextInput
          className={styles.seed}
          data-search
          label={t('suggestions.seed')}
          description={t('suggestions.seedHint')}
          value={text}
          maxLength={100}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button className="touch" type="submit">
          <Search size={16} aria-hidden className={styles.submitSign} />
          <span className={styles.submitWord}>{t('suggestions.submit')}</span>
        </Button>
        {market && (
          <ScorePhraseForm
            key={`${appId} ${market.country} ${market.device}`}
            appId={appId}
            market={market}
            phrase={text.trim()}
          />
        )}
        {isNarrow ? (
          <Select
            className={styles.source}
            aria-label={t('suggestions.source')}
            value={source}
            data={choices}
            allowDeselect={false}
            onChange={(value) => setSource(sources.find((one) => one === value) ?? 'all')}
          />
        ) : (
          <SegmentedControl
            size="xs"
            aria-label={t('suggestions.source')}
            value={source}
            onChange={(value) => setSource(value)}
            data={choices}
          />
        )}
      </form>
      <ScoreAnnouncements />
      {market && (
        <Found
          key={`${appId} ${market.country} ${market.device}`}
          appId={appId}
          asked={{ ...market, seed: seed ?? '', source: source === 'all' ? undefined : source }}
        />
      )}
    </>
  );
}

const useIsNarrow = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;

/** At the pace of a store they take a few minutes. */
const mostScored = 20;

interface FoundProps {
  appId: number;
  asked: Asked;
}

function Found({ appId, asked }: FoundProps) {
  const { t } = useTranslation();
  const app = useCurrentApp();
  // On phones the first rows are more important than the settings.
  const isNarrow = useIsNarrow();
  const query = useQuery(suggestionsQuery(appId, asked));
  const market = { country: asked.country, device: asked.device };
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const untracked = useMemo(
    () => query.data?.items.filter((item) => !item.alreadyTracked) ?? [],
    [query.data],
  );
  const scores = usePhraseScores(
    appId,
    market,
    useMemo(() => untracked.map(({ phrase }) => phrase), [untracked]),
  );
  const waiting = untracked.filter(isWaiting);
  const first = useMemo(
    () =>
      untracked
        .slice(0, mostScored)
        .filter(isUnscored)
        .map(({ phrase }) => phrase),
    [untracked],
  );
  const { canWrite } = useWriteAccess();
  // A search for a seed is a look around; it is scored when somebody asks for it.
  const isOn = useIsScoredInBackground() && asked.seed === '' && asked.source === undefined;
  const background = useBackgroundScores(appId, market, {
    phrases: first,
    isOn: isOn && canWrite && waiting.length === 0,
  });
  const unscored = untracked
    .filter((item) => (picked.size > 0 ? picked.has(item.phrase) : isUnscored(item)))
    .map(({ phrase }) => phrase)
    .filter((phrase) => !scores.has(phrase))
    .slice(0, mostScored);
  const settings = ({ autocompleteReadAt }: Suggestions) => (
    <ListSettings appId={appId} asked={asked} readAt={autocompleteReadAt} background={background} />
  );
  const toggle = (phrase: string) => {
    const next = new Set(picked);
    if (!next.delete(phrase)) next.add(phrase);
    setPicked(next);
  };
  return (
    <Card
      title={t('suggestions.found', { country: formatMarket(asked) })}
      lead={t('suggestions.foundLead')}
      foldsLead
      action={<Allowance key={query.dataUpdatedAt + query.errorUpdatedAt} />}
    >
      <Loaded query={query} height={520}>
        {(suggestions) => (
          <>
            <Unavailable suggestions={suggestions} />
            {suggestions.items.length === 0 ? (
              <EmptyState
                icon={Lightbulb}
                title={t('suggestions.emptyTitle')}
                text={t('suggestions.emptyText')}
              />
            ) : (
              <>
                <AddBar
                  appId={appId}
                  market={market}
                  phrases={[...picked]}
                  onAdded={(added) =>
                    setPicked(
                      (before) => new Set([...before].filter((one) => !added.includes(one))),
                    )
                  }
                >
                  <Unlisted
                    count={
                      picked.size -
                      suggestions.items.filter(({ phrase }) => picked.has(phrase)).length
                    }
                  />
                </AddBar>
                {!isNarrow && settings(suggestions)}
                <SuggestionTable
                  appId={appId}
                  market={market}
                  scores={scores}
                  items={suggestions.items}
                  picked={picked}
                  onToggle={toggle}
                  tools={
                    waiting.length > 0 ? (
                      <ScoringProgress appId={appId} waiting={waiting} />
                    ) : (
                      <ScoreManyButton appId={appId} market={market} unscored={unscored} />
                    )
                  }
                />
                <WordLegend store={app?.store} />
                {isNarrow && settings(suggestions)}
              </>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** Selected phrases survive a change of the seed or source. Those not in the list are counted. */
function Unlisted({ count }: { count: number }) {
  const { t } = useTranslation();
  return count > 0 && <span className="muted">{t('suggestions.unlisted', { count })}</span>;
}

/** A source without a response is missing for all phrases. */
function Unavailable({ suggestions: { unavailable } }: { suggestions: Suggestions }) {
  const { t } = useTranslation();
  const [missing] = unavailable;
  if (!missing) return null;
  return (
    <p className={styles.missing} role="status">
      {t(`suggestions.missing.${missing.reason}`, { prefixes: missing.prefixes.join(', ') })}
      {missing.retryAfterSeconds !== null &&
        ` ${t('suggestions.retry', { count: missing.retryAfterSeconds })}`}
    </p>
  );
}
