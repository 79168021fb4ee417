import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { MessageSquareOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatCount } from '../../format.ts';
import { reviewPagesQuery, reviewStatsQuery } from '../../queries/reviews.ts';
import { defaultDays, spanOf } from '../../scope.ts';
import { isFiltered, toFilter, useReviewSearch } from './review-filters.ts';
import { ReviewRow } from './review-row.tsx';
import { ReviewToolbar } from './review-toolbar.tsx';
import styles from './reviews-page.module.css';
import { StatsCard } from './stats-card.tsx';
import { useReviewMarks } from './use-review-marks.ts';

export function ListTab({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const { search, change } = useReviewSearch();
  const span = spanOf(search.days ?? defaultDays);
  const query = useInfiniteQuery(reviewPagesQuery(appId, toFilter(search, span)));
  const versions = useQuery(reviewStatsQuery(appId, search.country, span, 'version'));
  const marks = useReviewMarks(appId);
  const reviews = query.data?.pages.flatMap((page) => page.items) ?? [];
  const total = query.data?.pages[0]?.total ?? null;
  return (
    <div className={styles.stack}>
      <StatsCard appId={appId} country={search.country} span={span} />
      <Card title={total === null ? t('reviews.reviews') : t('reviews.found', { count: total, shown: formatCount(total) })}>
        <ReviewToolbar search={search} onChange={change} versions={(versions.data?.items ?? []).flatMap(({ key }) => key ?? [])} />
        {query.isPending && <Skeleton height={480} radius={10} />}
        {query.error && !query.data && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
        {query.data && reviews.length === 0 && (
          <EmptyState
            icon={MessageSquareOff}
            title={isFiltered(search) ? t('reviews.noneTitle') : t('reviews.emptyTitle')}
            text={isFiltered(search) ? t('reviews.noneText') : t('reviews.emptyText')}
          />
        )}
        <ul className={styles.list} aria-busy={query.isFetching}>
          {reviews.map((review) => (
            <ReviewRow
              key={review.id}
              review={review}
              onMark={(of, set) => marks.mutate({ review: of, marks: set })}
              onTag={(tag) => change({ tag })}
            />
          ))}
        </ul>
        {query.hasNextPage && (
          <Button className="touch" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('table.more')}
          </Button>
        )}
      </Card>
    </div>
  );
}
