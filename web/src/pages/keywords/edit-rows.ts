import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { call, type Keyword, type Request } from '#web/api.ts';
import { keywordPagesQuery, type KeywordPage } from '#web/queries/keywords.ts';
import { inBatches } from './restore-keywords.ts';

export type Change = Request<'POST /apps/{id}/keywords/update'>['body']['set'];

export interface RowEdit {
  keywords: readonly Keyword[];
  /** Absent if the rows are removed. */
  set?: Change;
}

/** Saving ends with the first error; null if all rows are saved. */
interface Outcome {
  savedIds: ReadonlySet<number>;
  error: Error | null;
}

/** The key of the mutations that edit rows of a list, whose variables are `RowEdit`. */
export const rowEditsKey = (appId: number) => ['edit-rows', appId] as const;

const idsOf = (keywords: readonly Keyword[]): number[] => keywords.map(({ id }) => id);

/** Saves an edit in batches. The rows in the cache are those of the server, before and after. */
export async function saveEdit(
  queryClient: QueryClient,
  appId: number,
  { keywords, set }: RowEdit,
): Promise<Outcome> {
  const { queryKey } = keywordPagesQuery(appId);
  const params = { id: appId };
  const savedIds = new Set<number>();
  let error: Error | null = null;
  try {
    for (const ids of inBatches(idsOf(keywords))) {
      await (set
        ? call('POST /apps/{id}/keywords/update', { params, body: { ids, set } })
        : call('POST /apps/{id}/keywords/delete', { params, body: { ids } }));
      for (const id of ids) savedIds.add(id);
    }
  } catch (thrown) {
    error = thrown as Error;
  }
  const saved: RowEdit = {
    keywords: keywords.filter(({ id }) => savedIds.has(id)),
    ...(set && { set }),
  };
  queryClient.setQueryData(queryKey, (pages) => pages && editPages(pages, saved));
  // A read that began before the change would bring the rows as they were.
  if (queryClient.getQueryState(queryKey)?.fetchStatus !== 'idle')
    void queryClient.invalidateQueries({ queryKey, exact: true });
  return { savedIds, error };
}

/** Each page has the total of the list, so that removed rows leave all of them. */
export function editPages<Param>(
  data: InfiniteData<KeywordPage, Param>,
  { keywords, set }: RowEdit,
): InfiniteData<KeywordPage, Param> {
  const ids = new Set(idsOf(keywords));
  const edit = (keyword: Keyword) => (set ? [applyChange(keyword, set)] : []);
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.flatMap((item) => (ids.has(item.id) ? edit(item) : item)),
  }));
  const removed = countRows(data.pages) - countRows(pages);
  return {
    ...data,
    pages: pages.map((page) => ({ ...page, total: page.total && page.total - removed })),
  };
}

function applyChange(keyword: Keyword, set: Change): Keyword {
  const tags = new Set([...keyword.tags, ...(set.addTags ?? [])]);
  for (const tag of set.removeTags ?? []) tags.delete(tag);
  return {
    ...keyword,
    tags: [...tags],
    paused: set.paused ?? keyword.paused,
    favorite: set.favorite ?? keyword.favorite,
  };
}

const countRows = (pages: readonly KeywordPage[]): number =>
  pages.reduce((sum, { items }) => sum + items.length, 0);
