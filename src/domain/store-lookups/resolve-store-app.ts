import { invalid } from '../errors.ts';
import { storeNames, type StoreName, type Stores } from '../ports.ts';

export type StoreAppQuestion = { url: string } | { store: StoreName; storeAppId: string };

export interface StoreAppAddress {
  store: StoreName;
  storeAppId: string;
  /** The country in a pasted address; null without one. */
  country: string | null;
}

/** Finds out which app of which store is meant, without asking anybody. Throws invalid_request. */
export function resolveStoreApp(
  stores: Stores,
  question: StoreAppQuestion,
  idPath = 'storeAppId',
): StoreAppAddress {
  if ('url' in question) return readAddress(stores, question.url);
  const { store, storeAppId } = question;
  if (stores[store].isStoreAppId(storeAppId)) return { store, storeAppId, country: null };
  const example =
    store === 'ios'
      ? 'the digits of an App Store id, like 310633997'
      : 'a package name, like com.example.app';
  throw invalid(
    idPath,
    `not an id of this store; expected ${example}`,
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
    'not the address of an app; expected one like https://apps.apple.com/us/app/name/id310633997 or https://play.google.com/store/apps/details?id=com.example.app',
    url.toWellFormed().slice(0, 200),
  );
}
