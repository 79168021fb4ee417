import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Keyword } from '#web/api.ts';
import { keywordPagesQuery, type KeywordPage } from '#web/queries/keywords.ts';
import { inBatches } from './restore-keywords.ts';

interface Edit {
  ids: readonly number[];
  /** Null removes the row. */
  change: (keyword: Keyword) => Keyword | null;
  /** Called with one batch of the ids after another. */
  save: (ids: number[]) => Promise<unknown>;
}

/** Saving ends with the first error; null if all rows are saved. */
interface Outcome {
  savedIds: ReadonlySet<number>;
  error: Error | null;
}

/**
 * Updates rows before they are saved. When saving fails, the rows that are not saved are as before,
 * because the server may be away and a refetch would fail too.
 */
export async function editRows(
  queryClient: QueryClient,
  appId: number,
  { ids, change, save }: Edit,
): Promise<Outcome> {
  const { queryKey } = keywordPagesQuery(appId);
  const before = queryClient.getQueryData(queryKey);
  const apply = (chosen: ReadonlySet<number>) =>
    queryClient.setQueryData(
      queryKey,
      (pages) =>
        pages &&
        editPages(pages, (keyword) => (chosen.has(keyword.id) ? change(keyword) : keyword)),
    );
  const savedIds = new Set<number>();
  let error: Error | null = null;
  apply(new Set(ids));
  try {
    for (const batch of inBatches(ids)) {
      await save(batch);
      for (const id of batch) savedIds.add(id);
    }
  } catch (thrown) {
    error = thrown as Error;
    queryClient.setQueryData(queryKey, before);
  }
  // A page that arrived meanwhile brought the rows back as they were when its request began.
  apply(savedIds);
  if (queryClient.getQueryState(queryKey)?.fetchStatus !== 'idle')
    void queryClient.invalidateQueries({ queryKey, exact: true });
  return { savedIds, error };
}

/** Each page has the total of the list, so that removed rows leave all of them. */
function editPages<Param>(
  data: InfiniteData<KeywordPage, Param>,
  change: Edit['change'],
): InfiniteData<KeywordPage, Param> {
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.flatMap((item) => change(item) ?? []),
  }));
  const removed = countRows(data.pages) - countRows(pages);
  return {
    ...data,
    pages: pages.map((page) => ({ ...page, total: page.total && page.total - removed })),
  };
}

const countRows = (pages: readonly KeywordPage[]): number =>
  pages.reduce((sum, { items }) => sum + items.length, 0);
