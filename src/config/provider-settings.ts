import {
  defaultProvidersOf,
  mapStores,
  storeProfiles,
  type StoreName,
  type StoreProfile,
} from '#stores/profiles.ts';
import type { Setting } from './env.ts';
import { list } from './parsers.ts';

type ProviderSetting = Setting<string[]> & { fallback: string };
export type ProviderSettingName = `SCRAPE_${Uppercase<StoreName>}_PROVIDERS`;

/** The setting that names a store's search providers: `SCRAPE_IOS_PROVIDERS` for `ios`. */
const providerSettingOf = (store: StoreName): ProviderSettingName =>
  `SCRAPE_${store.toUpperCase() as Uppercase<StoreName>}_PROVIDERS`;

/** The configured search providers of each store, in the order in which they are asked. */
export const providersIn = (
  config: Readonly<Record<ProviderSettingName, string[]>>,
): Record<StoreName, string[]> => mapStores(({ id }) => config[providerSettingOf(id)]);

/** One setting for each store, with the providers of its profile. */
export const providerSettings = Object.fromEntries(
  storeProfiles.map((profile) => [providerSettingOf(profile.id), providerSetting(profile)]),
) as Record<ProviderSettingName, ProviderSetting>;

function providerSetting(profile: StoreProfile): ProviderSetting {
  const { name, search } = profile;
  const known = search.providers.map((provider) => provider.name);
  const sources = search.providers.map((provider) => `${provider.name}: ${provider.description}`);
  return {
    parse: (text) => {
      const chosen = list(text);
      const areKnown = chosen.every((provider) => known.includes(provider));
      if (chosen.length === 0 || !areKnown || new Set(chosen).size < chosen.length)
        throw new Error(`one or more of ${known.join(', ')}, each once, separated by commas`);
      return chosen;
    },
    fallback: defaultProvidersOf(profile).join(),
    meaning:
      `Sources of the ${name} search results, in order. Positions are those of the first one; ` +
      `the others are asked on days on which it fails, and shown apart. ${sources.join('; ')}.`,
  };
}
