import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { keywordPagesQuery } from '#web/queries/keywords.ts';

/**
 * Loads the pages that were not requested early, and shows why one could not be loaded. A component
 * of its own, because every request draws the one that follows it.
 */
export function RemainingKeywords({ appId }: { appId: number }) {
  const { data, error, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery(
    keywordPagesQuery(appId),
  );
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage({ cancelRefetch: false });
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  if (!data || !hasNextPage || !error) return null;
  return <ErrorNotice error={error} onRetry={() => void fetchNextPage({ cancelRefetch: false })} />;
}
