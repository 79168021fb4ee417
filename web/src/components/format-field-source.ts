import type { TFunction } from 'i18next';
import type { FieldSourceName } from '#contract/choices.ts';
import type { Store } from '../api.ts';
import { formatProvider } from './format-provider.ts';

interface Source {
  source: FieldSourceName;
  provider: string | null;
}

/** The responses that have a field, such as "search: App Store search". */
export function formatFieldSource(
  store: Store,
  { source, provider }: Source,
  t: TFunction,
): string {
  const name = t(`fieldSource.${source}`);
  return provider === null ? name : `${name}: ${formatProvider(store, provider, t)}`;
}
