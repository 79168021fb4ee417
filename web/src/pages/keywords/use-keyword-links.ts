import { useRouter, useSearch } from '@tanstack/react-router';
import { useMemo, type MouseEvent } from 'react';
import { withBasePath } from '#web/base-path.ts';
import { readScope } from '#web/scope.ts';

export interface KeywordLinks {
  hrefOf(keywordId: number): string;
  /** Navigates on a click on such a link without reloading the page. */
  open(event: MouseEvent<HTMLAnchorElement>): void;
  /** Preloads the code of the linked page. */
  fetchPage(): void;
}

const to = '/keywords/$keywordId';

/**
 * For thousands of rows: the router's link component would compute its address in every row on each
 * navigation.
 */
export function useKeywordLinks(): KeywordLinks {
  const router = useRouter();
  const { country, device, days, from, to: until } = readScope(useSearch({ strict: false }));
  return useMemo(() => {
    const search = { country, device, days, from, to: until };
    const { searchStr } = router.buildLocation({ to, params: { keywordId: '0' }, search });
    return {
      hrefOf: (keywordId) => withBasePath(`/keywords/${keywordId}${searchStr}`),
      open(event) {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        const keywordId = /\/keywords\/(\d+)$/.exec(event.currentTarget.pathname)![1]!;
        void router.navigate({ to, params: { keywordId }, search });
      },
      fetchPage: () => void router.preloadRoute({ to, params: { keywordId: '0' }, search }),
    };
  }, [router, country, device, days, from, until]);
}
