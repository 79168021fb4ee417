import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Lightbulb } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { formatCountry } from '../../format.ts';
import { useCurrentApp } from '../../frame/current-app.ts';
import { suggestionsQuery, type Suggestions } from '../../queries/suggestions.ts';
import { readScope } from '../../scope.ts';
import { useSearchChoice, useSearchValue } from '../../search-value.ts';
import { AddBar } from './add-bar.tsx';
import { Allowance } from './allowance.tsx';
import styles from './discover-page.module.css';
import { ScoreNews } from './score-news.tsx';
import { ScoreTyped } from './score-typed.tsx';
import { SuggestionTable } from './suggestion-table.tsx';

const sources = ['all', 'autocomplete', 'listing', 'competitors', 'serp'] as const;

export function DiscoverPage() {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const app = useCurrentApp();
  const country = readScope(useSearch({ strict: false })).country ?? app?.primaryCountry;
  const [seed, setSeed] = useSearchValue('seed');
  const [source, setSource] = useSearchChoice('source', sources);
  const [text, setText] = useState(seed ?? '');
  return (
    <>
      <PageHead title={t('discover.title')} lead={t('discover.lead')} />
      <form
        className={styles.ask}
        role="search"
        aria-label={t('discover.title')}
        onSubmit={(event) => {
          event.preventDefault();
          setSeed(text.trim() || null);
        }}
      >
        <TextInput
          className={styles.seed}
          data-search
          label={t('discover.seed')}
          description={t('discover.seedHint')}
          value={text}
          maxLength={100}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button className="touch" type="submit">
          {t('discover.ask')}
        </Button>
        {country && (
          <ScoreTyped
            key={`${appId} ${country}`}
            appId={appId}
            country={country}
            phrase={text.trim()}
          />
        )}
        <SegmentedControl
          size="xs"
          aria-label={t('discover.source')}
          value={source}
          onChange={(value) => setSource(value)}
          data={sources.map((value) => ({ value, label: t(`discover.sources.${value}`) }))}
        />
      </form>
      <ScoreNews />
      {country && (
        <Found
          key={country}
          appId={appId}
          asked={{ country, seed: seed ?? '', source: source === 'all' ? undefined : source }}
        />
      )}
    </>
  );
}

interface FoundProps {
  appId: number;
  asked: Parameters<typeof suggestionsQuery>[1];
}

function Found({ appId, asked }: FoundProps) {
  const { t } = useTranslation();
  const query = useQuery(suggestionsQuery(appId, asked));
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const toggle = (phrase: string) => {
    const next = new Set(picked);
    if (!next.delete(phrase)) next.add(phrase);
    setPicked(next);
  };
  return (
    <Card
      title={t('discover.found', { country: formatCountry(asked.country) })}
      lead={t('discover.foundLead')}
      action={<Allowance key={query.dataUpdatedAt + query.errorUpdatedAt} />}
    >
      <Loaded query={query} height={520}>
        {(suggestions) => (
          <>
            <Unavailable suggestions={suggestions} />
            {suggestions.items.length === 0 ? (
              <EmptyState
                icon={Lightbulb}
                title={t('discover.emptyTitle')}
                text={t('discover.emptyText')}
              />
            ) : (
              <>
                <AddBar
                  appId={appId}
                  country={asked.country}
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
                  country={asked.country}
                  items={suggestions.items}
                  picked={picked}
                  onToggle={toggle}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** Picks outlive a change of the word or the source, and are paid for: those that are not seen are told. */
function Unlisted({ count }: { count: number }) {
  const { t } = useTranslation();
  return count > 0 && <span className="muted">{t('discover.unlisted', { count })}</span>;
}

/** A source that did not answer says nothing about the phrases it would have had. */
function Unavailable({ suggestions: { unavailable } }: { suggestions: Suggestions }) {
  const { t } = useTranslation();
  const [missing] = unavailable;
  if (!missing) return null;
  return (
    <p className={styles.missing} role="status">
      {t(`discover.missing.${missing.reason}`, { prefixes: missing.prefixes.join(', ') })}
      {missing.retryAfterSeconds !== null &&
        ` ${t('discover.retry', { count: missing.retryAfterSeconds })}`}
    </p>
  );
}
