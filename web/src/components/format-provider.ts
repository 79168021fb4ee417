import type { TFunction } from 'i18next';
import type { Store } from '../api.ts';
import type texts from '../locales/en/kit.json';

type ProviderKey = Extract<keyof typeof texts, `provider.${string}`>;

/** The name of a search provider for people. An unknown one keeps the name that the API gives. */
export function formatProvider(store: Store | undefined, provider: string, t: TFunction): string {
  return t(`provider.${store}.${provider}` as ProviderKey, { defaultValue: provider });
}
