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
import { suggestionsQuery, type Suggestions } from '#web/queries/suggestions.ts';
import { useSearchChoice, useSearchValue } from '#web/search-value.ts';
import { defaultDeviceOf } from '#stores/profiles.ts';
import { AddBar } from './add-bar.tsx';
import { Allowance } from './allowance.tsx';
import styles from './suggestions-page.module.css';
import { usePhraseScores } from './use-phrase-scores.ts';
import { ScoreAnnouncements } from './score-announcements.tsx';
import { ScoreManyButton } from './score-many-button.tsx';
import { ScorePhraseForm } from './score-phrase-form.tsx';
import { SuggestionTable } from './suggestion-table.tsx';

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
  const isNarrow =
    useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;
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
          key={`${market.country} ${market.device}`}
          appId={appId}
          asked={{ ...market, seed: seed ?? '', source: source === 'all' ? undefined : source }}
        />
      )}
    </>
  );
}

/** By one press: the pace of a store makes it half a minute. */
const mostScored = 10;

interface FoundProps {
  appId: number;
  asked: Parameters<typeof suggestionsQuery>[1];
}

function Found({ appId, asked }: FoundProps) {
  const { t } = useTranslation();
  const app = useCurrentApp();
  const query = useQuery(suggestionsQuery(appId, asked));
  const market = { country: asked.country, device: asked.device };
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const untracked = useMemo(
    () =>
      query.data?.items.filter((item) => !item.alreadyTracked).map(({ phrase }) => phrase) ?? [],
    [query.data],
  );
  const scores = usePhraseScores(appId, market, untracked);
  const unscored = (picked.size > 0 ? [...picked] : untracked)
    .filter((phrase) => !scores.has(phrase))
    .slice(0, mostScored);
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
                  onAdded={() => setPicked(new Set())}
                >
                  <Unlisted
                    count={
                      picked.size -
                      suggestions.items.filter(({ phrase }) => picked.has(phrase)).length
                    }
                  />
                </AddBar>
                <SuggestionTable
                  appId={appId}
                  market={market}
                  scores={scores}
                  items={suggestions.items}
                  picked={picked}
                  onToggle={toggle}
                  tools={<ScoreManyButton appId={appId} market={market} unscored={unscored} />}
                />
                <WordLegend store={app?.store} />
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
