import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import type { Unread } from './data-table.tsx';
import { Loaded } from './loaded.tsx';
import { ShowMore } from './show-more.tsx';
import type { WaitingHeight } from './waiting.tsx';

interface Props<Item> {
  query: UseInfiniteQueryResult<InfiniteData<{ items: Item[]; total: number | null }>>;
  height?: WaitingHeight;
  /** Shown for an empty list. Leave it out where the list has an empty state of its own. */
  empty?: ReactNode;
  more?: ComponentProps<typeof ShowMore>['align'];
  /**
   * `unread` is set while there is a next page, for tables that sort or export only the loaded
   * rows.
   */
  children: (items: Item[], unread: Unread | undefined) => ReactNode;
}

/** A paginated list with a button for the next page. */
export function LoadedPages<Item>({ query, height, empty, more, children }: Props<Item>) {
  return (
    <Loaded query={query} {...(height && { height })}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0 && empty !== undefined) return empty;
        return (
          <>
            {children(items, query.hasNextPage ? { total: pages[0]?.total ?? null } : undefined)}
            <ShowMore query={query} {...(more && { align: more })} />
          </>
        );
      }}
    </Loaded>
  );
}
