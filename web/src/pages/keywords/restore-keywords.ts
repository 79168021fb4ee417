import { call } from '#web/api.ts';

/** The limit of the API. */
const batch = 200;

export function inBatches<T>(items: readonly T[], size = batch): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Tracks removed keywords again, as they were before. */
export async function restoreKeywords(appId: number, ids: readonly number[]): Promise<void> {
  for (const part of inBatches(ids))
    await call('POST /apps/{id}/removed-keywords/restore', {
      params: { id: appId },
      body: { ids: part },
    });
}
