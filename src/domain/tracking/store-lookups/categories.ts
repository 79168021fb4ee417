import { profileOf, type StoreName } from '#domain/base/ports.ts';

export interface StoreCategoryRecord {
  id: string;
  name: string;
  parentId: string | null;
}

/**
 * The store's own ids, for pickers and names. A category that the store adds later works too, but
 * without a name.
 */
export function listCategories(store: StoreName): StoreCategoryRecord[] {
  return profileOf(store).categories.map(([id, name, parentId]) => ({ id, name, parentId }));
}
