import { InfiniteQueryObserver, type QueryClient } from '@tanstack/react-query';
import { hasMorePages, keywordPagesQuery } from '#web/queries/keywords.ts';

/**
 * Requests each page as soon as the one before has arrived, so that nothing is drawn in between.
 * Stops at a page that fails or is cancelled.
 */
export async function requestAllPages(client: QueryClient, appId: number): Promise<void> {
  const query = keywordPagesQuery(appId);
  await client.prefetchInfiniteQuery(query);
  const observer = new InfiniteQueryObserver(client, query);
  for (let count = 0; ;) {
    const { data } = observer.getCurrentResult();
    if (!data || data.pages.length === count || !hasMorePages(data)) return;
    count = data.pages.length;
    await observer.fetchNextPage({ cancelRefetch: false });
  }
}
