import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Keyword } from '#web/api.ts';
import { heatOrder } from '#web/components/heat-position.tsx';
import { keywordPagesQuery } from '#web/queries/keywords.ts';
import type { MarketFilter } from '#web/scope.ts';

interface Choice extends MarketFilter {
  /** Part of the phrase. */
  text: string;
  tag: string | null;
}

const orderOf = ({ latest }: Keyword): number => (latest ? heatOrder(latest) : 10_000);

/** The keywords of an app that match, those with the best positions first, and all tags. */
export function useMatrixKeywords(appId: number, { country, device, text, tag }: Choice) {
  const query = useInfiniteQuery(keywordPagesQuery(appId));
  const { hasNextPage, isFetching, isError, fetchNextPage, data } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const all = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const matching = useMemo(
    () =>
      all
        .filter(
          (keyword) =>
            (!country || keyword.country === country) &&
            (!device || keyword.device === device) &&
            (!tag || keyword.tags.includes(tag)) &&
            keyword.phrase.toLowerCase().includes(text.toLowerCase()),
        )
        .toSorted((a, b) => orderOf(a) - orderOf(b) || a.id - b.id),
    [all, country, device, tag, text],
  );
  const tags = useMemo(
    () => [...new Set(all.flatMap((keyword) => keyword.tags))].toSorted(),
    [all],
  );
  return { query, matching, tags, total: data?.pages[0]?.total ?? all.length };
}
