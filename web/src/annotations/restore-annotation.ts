import { call } from '#web/api.ts';
import { isApiError } from '#web/describe-error.ts';
import { collectPages } from '#web/queries/collect-pages.ts';
import type { ReadAnnotation } from './save-annotation.ts';

/** Saves a deleted annotation again, without those of its keywords that no longer exist. */
export async function restoreAnnotation({ appId, date, text, keywordIds }: ReadAnnotation) {
  const save = (ids: number[]) =>
    call('POST /apps/{id}/annotations', {
      params: { id: appId },
      body: { date, text, keywordIds: ids },
    });
  try {
    return await save(keywordIds);
  } catch (error) {
    if (keywordIds.length === 0 || !isApiError(error, 'not_found')) throw error;
    const existing = await listKeywordIds(appId);
    return save(keywordIds.filter((id) => existing.has(id)));
  }
}

/** Including removed ones, whose history is kept. */
async function listKeywordIds(appId: number): Promise<Set<number>> {
  const params = { id: appId };
  const pages = await Promise.all([
    collectPages((cursor) =>
      call('GET /apps/{id}/keywords', { params, query: { limit: 500, cursor } }),
    ),
    collectPages((cursor) =>
      call('GET /apps/{id}/removed-keywords', { params, query: { limit: 500, cursor } }),
    ),
  ]);
  return new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)));
}
