import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, ListX, Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Store } from '#web/api.ts';
import { AppIcon } from '#web/components/app-icon.tsx';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { formatProvider } from '#web/components/format-provider.ts';
import { formatCompact, formatDay, formatDecimal } from '#web/format.ts';
import { newestSerpQuery } from '#web/queries/serp.ts';
import { formatAds } from './format-ads.ts';
import styles from './serp-card.module.css';

interface Props {
  keywordId: number;
  store: Store | undefined;
  /** Set where the page does not name the search. */
  title?: string;
}

/** The latest saved search results with the app marked. */
export function SerpCard({ keywordId, store, title }: Props) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(newestSerpQuery(keywordId));
  return (
    <Card
      title={title ?? t('keyword.serpTitle')}
      lead={
        data
          ? t('keyword.serpLead', {
              day: formatDay(data.date, true),
              kept: data.items.length,
              count: data.resultCount,
              provider: formatProvider(store, data.provider, t),
            })
          : undefined
      }
      action={
        <Link
          to="/keywords/$keywordId/serp"
          params={{ keywordId: String(keywordId) }}
          className={styles.all}
        >
          {t('keyword.serpAll')}
          <ArrowRight size={14} aria-hidden />
        </Link>
      }
    >
      {isPending && <Skeleton height={565} />}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === null && (
        <EmptyState icon={ListX} title={t('serp.emptyTitle')} text={t('serp.emptyText')} />
      )}
      {data?.ads && <p className="muted">{formatAds(data.ads, t)}</p>}
      {data && (
        <ol className={styles.list} tabIndex={0} aria-label={t('keyword.serpTitle')}>
          {data.items.map((item) => (
            <li key={item.position} className={styles.item} data-own={item.isOwn || undefined}>
              <span className={styles.position}>{item.position}</span>
              <AppIcon
                name={item.name ?? item.storeAppId}
                store={store}
                iconUrl={item.iconUrl}
                size={32}
              />
              <span className={styles.names}>
                <bdi className={styles.name}>{item.name ?? item.storeAppId}</bdi>
                <bdi className={styles.developer}>{item.developer ?? '–'}</bdi>
              </span>
              {(item.isOwn || item.isCompetitor) && (
                <span className={styles.mark}>
                  {item.isOwn ? t('serp.own') : t('serp.competitor')}
                </span>
              )}
              {item.rating !== null && (
                <span className={styles.rating}>
                  <Star size={12} aria-hidden />
                  <span className="sr-only">{t('serp.rating')}</span>
                  {formatDecimal(item.rating)}
                  {item.ratingCount !== null && (
                    <span className="muted"> ({formatCompact(item.ratingCount)})</span>
                  )}
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
