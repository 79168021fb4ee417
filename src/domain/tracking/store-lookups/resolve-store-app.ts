import { invalid } from '#domain/base/errors.ts';
import {
  profileOf,
  storeNames,
  storeProfiles,
  type StoreName,
  type Stores,
} from '#domain/base/ports.ts';

export type StoreAppQuery = { url: string } | { store: StoreName; storeAppId: string };

export interface StoreAppAddress {
  store: StoreName;
  storeAppId: string;
  /** The country in a pasted address; null without one. */
  country: string | null;
}

/** Determines the app and store of an input without a request. Throws invalid_request. */
export function resolveStoreApp(
  stores: Stores,
  question: StoreAppQuery,
  idPath = 'storeAppId',
): StoreAppAddress {
  if ('url' in question) return readAddress(stores, question.url);
  const { store, storeAppId } = question;
  if (stores[store].isStoreAppId(storeAppId)) return { store, storeAppId, country: null };
  throw invalid(
    idPath,
    `not an id of this store; expected ${profileOf(store).appId.example}`,
    storeAppId.toWellFormed().slice(0, 200),
  );
}

function readAddress(stores: Stores, url: string): StoreAppAddress {
  for (const store of storeNames) {
    const found = stores[store].readUrl(url);
    if (found) return { store, ...found };
  }
  throw invalid(
    'url',
    'not the address of an app; expected one like ' +
      storeProfiles.map(({ appAddress }) => appAddress.example).join(' or '),
    url.toWellFormed().slice(0, 200),
  );
}
