import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Keyword } from '#web/api.ts';
import { keywordPagesQuery, type KeywordPage } from '#web/queries/keywords.ts';

type Edit = (keyword: Keyword) => Keyword | null;

/**
 * Updates rows before they are saved; null removes a row. When saving fails the rows are as before,
 * because the server may be away and a refetch would fail too.
 */
export async function editRows(
  queryClient: QueryClient,
  appId: number,
  edit: Edit,
  save: () => Promise<void>,
): Promise<void> {
  const { queryKey } = keywordPagesQuery(appId);
  const before = queryClient.getQueryData(queryKey);
  const apply = () =>
    queryClient.setQueryData(queryKey, (pages) => pages && editPages(pages, edit));
  apply();
  try {
    await save();
  } catch (error) {
    queryClient.setQueryData(queryKey, before);
    throw error;
  }
  // A page that arrived meanwhile brought the rows back as they were when its request began.
  apply();
  if (queryClient.getQueryState(queryKey)?.fetchStatus !== 'idle')
    void queryClient.invalidateQueries({ queryKey, exact: true });
}

const editPages = <Param>(
  data: InfiniteData<KeywordPage, Param>,
  edit: Edit,
): InfiniteData<KeywordPage, Param> => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    items: page.items.flatMap((item) => edit(item) ?? []),
  })),
});
