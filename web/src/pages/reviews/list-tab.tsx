import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { MessageSquareOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { LoadedPages } from '#web/components/loaded-pages.tsx';
import { formatCount } from '#web/format.ts';
import { reviewPagesQuery, reviewStatsQuery } from '#web/queries/reviews.ts';
import { spanOfScope } from '#web/scope.ts';
import { isFiltered, toFilter, useReviewSearch } from './review-filters.ts';
import { ReviewRow } from './review-row.tsx';
import { ReviewToolbar } from './review-toolbar.tsx';
import styles from './reviews-page.module.css';
import { StatsCard } from './stats-card.tsx';

export function ListTab({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const { search, change } = useReviewSearch();
  const span = spanOfScope(search);
  const query = useInfiniteQuery(reviewPagesQuery(appId, toFilter(search, span)));
  const versions = useQuery(reviewStatsQuery(appId, search.country, span, 'version'));
  const total = query.data?.pages[0]?.total ?? null;
  return (
    <div className="stack">
      <StatsCard appId={appId} country={search.country} span={span} />
      <Card
        title={
          total === null
            ? t('reviews.reviews')
            : t('reviews.found', { count: total, shown: formatCount(total) })
        }
      >
        <ReviewToolbar
          search={search}
          onChange={change}
          versions={(versions.data?.items ?? []).flatMap(({ key }) => key ?? [])}
        />
        <LoadedPages
          query={query}
          height={480}
          empty={
            <EmptyState
              icon={MessageSquareOff}
              title={isFiltered(search) ? t('reviews.noneTitle') : t('reviews.emptyTitle')}
              text={isFiltered(search) ? t('reviews.noneText') : t('reviews.emptyText')}
            />
          }
        >
          {(reviews) => (
            <ul className={styles.list} aria-busy={query.isFetching}>
              {reviews.map((review) => (
                <ReviewRow key={review.id} review={review} onTag={(tag) => change({ tag })} />
              ))}
            </ul>
          )}
        </LoadedPages>
      </Card>
    </div>
  );
}
