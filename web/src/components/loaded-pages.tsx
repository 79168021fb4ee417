import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import type { Unread } from './data-table.tsx';
import { Loaded } from './loaded.tsx';
import { ShowMore } from './show-more.tsx';

interface Props<Item> {
  query: UseInfiniteQueryResult<InfiniteData<{ items: Item[]; total: number | null }>>;
  height?: number;
  /** What stands there when there is nothing; left out where the list says it itself. */
  empty?: ReactNode;
  more?: ComponentProps<typeof ShowMore>['place'];
  /** `unread` while there is a next page: for a table, which would sort and save what was read alone. */
  children: (items: Item[], unread: Unread | undefined) => ReactNode;
}

/** A list that comes in pages: those that were read, and the way to the next. */
export function LoadedPages<Item>({ query, height, empty, more, children }: Props<Item>) {
  return (
    <Loaded query={query} {...(height && { height })}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0 && empty !== undefined) return empty;
        return (
          <>
            {children(items, query.hasNextPage ? { total: pages[0]?.total ?? null } : undefined)}
            <ShowMore query={query} {...(more && { place: more })} />
          </>
        );
      }}
    </Loaded>
  );
}
