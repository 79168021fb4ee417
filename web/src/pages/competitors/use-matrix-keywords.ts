import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { tagsQuery } from '#web/queries/alerts.ts';
import { keywordsByPositionQuery } from '#web/queries/keywords.ts';
import type { MarketFilter } from '#web/scope.ts';

interface Choice extends MarketFilter {
  /** Part of the phrase. */
  text: string;
  tag: string | null;
}

/** Keywords of an app that match, those with the best positions first, in pages; and all tags. */
export function useMatrixKeywords(appId: number, { country, device, text, tag }: Choice) {
  const filter = { country, device, q: text || undefined, tag: tag ?? undefined };
  const query = useInfiniteQuery({
    ...keywordsByPositionQuery(appId, filter),
    placeholderData: keepPreviousData,
  });
  const tagList = useQuery(tagsQuery).data;
  const keywords = useMemo(
    () => query.data?.pages.flatMap((page) => page.items) ?? [],
    [query.data],
  );
  const tags = useMemo(
    () => tagList?.items.flatMap(({ name, keywords: count }) => (count > 0 ? [name] : [])) ?? [],
    [tagList],
  );
  return { query, keywords, tags, matching: query.data?.pages[0]?.total ?? 0 };
}
