import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { MarketChip } from '#web/components/market-chip.tsx';
import { TagDot } from '#web/components/tag-dot.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { Waiting } from '#web/components/waiting.tsx';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { isWaiting, keywordQuery } from '#web/queries/keywords.ts';
import { DetailsCard } from './details-card.tsx';
import { HistoryCard } from './history-card.tsx';
import { KeywordButtons } from './keyword-buttons.tsx';
import styles from './keyword-page.module.css';
import { AnnotationsCard } from './annotations-card.tsx';
import { OpportunityCard } from './opportunity-card.tsx';
import { ProviderCard } from './provider-card.tsx';
import { ScoreCard } from './score-card.tsx';
import { SerpCard } from './serp-card.tsx';
import { CurrentPosition } from './current-position.tsx';
import { useKeywordUpdate } from './use-keyword-update.ts';

export function KeywordPage() {
  const { t } = useTranslation();
  const keywordId = Number(useParams({ strict: false }).keywordId) || 0;
  const app = useCurrentApp();
  const {
    data: saved,
    error,
    refetch,
  } = useQuery({
    ...keywordQuery(keywordId),
    refetchInterval: ({ state }) => (state.data && isWaiting(state.data) ? 1_500 : false),
  });
  const { keyword, update, isSaving } = useKeywordUpdate(keywordId, saved);
  if (error && !keyword)
    return (
      <>
        <PageHead title={t('keyword.title')} />
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </>
    );
  if (!keyword)
    return (
      <div className="stack">
        <Skeleton height={60} width={320} />
        <Waiting height={[136, 422]} />
        <Waiting height={[539, 749]} />
      </div>
    );
  return (
    <>
      <Link
        to="/apps/$appId/keywords"
        params={{ appId: String(keyword.appId) }}
        className={styles.back}
      >
        <ChevronLeft size={15} aria-hidden />
        {t('keywords.title')}
      </Link>
      <PageHead
        title={keyword.phrase}
        lead={
          <span className={styles.lead}>
            <MarketChip of={keyword} named />
            {keyword.paused && <span>{t('pending.paused')}</span>}
            {keyword.tags.map((tag) => (
              <span key={tag} className={styles.tag}>
                <TagDot tag={tag} />
                {tag}
              </span>
            ))}
          </span>
        }
      >
        <KeywordButtons keyword={keyword} update={update} />
      </PageHead>
      <div className="stack">
        <CurrentPosition keyword={keyword} store={app?.store} />
        <HistoryCard key={keyword.id} keyword={keyword} />
        <AnnotationsCard keyword={keyword} />
        <div className={styles.columns} data-print="column">
          <div className="stack">
            <ScoreCard keyword={keyword} />
            <SerpCard keywordId={keywordId} store={app?.store} />
            <ProviderCard keyword={keyword} store={app?.store} />
          </div>
          <div className="stack">
            <OpportunityCard keyword={keyword} />
            <DetailsCard keyword={keyword} update={update} isSaving={isSaving} />
          </div>
        </div>
      </div>
    </>
  );
}
