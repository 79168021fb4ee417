import { storeNames } from '#stores/profiles.ts';
import { call, type ResponseOf, type Store } from '#web/api.ts';

export type StoreApp = ResponseOf<'GET /store/apps/search'>['items'][number];

export interface NameSearch {
  found: StoreApp[];
  /** Stores whose search failed, with the error. */
  failed: { store: Store; error: unknown }[];
}

/** Searches a name in every store. Throws only if all of them fail. */
export async function searchByName({
  term,
  country,
}: {
  term: string;
  country: string;
}): Promise<NameSearch> {
  const failed: NameSearch['failed'] = [];
  const search = async (store: Store): Promise<StoreApp[]> => {
    try {
      const query = { store, q: term, country, limit: 5 };
      return (await call('GET /store/apps/search', { query })).items;
    } catch (error) {
      failed.push({ store, error });
      return [];
    }
  };
  const found = (await Promise.all(storeNames.map(search))).flat();
  if (failed.length === storeNames.length) throw failed[0]!.error;
  return { found, failed };
}
