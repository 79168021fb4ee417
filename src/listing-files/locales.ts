import type { StoreName } from '#stores/profiles.ts';

interface StoreLocales {
  store: StoreName;
  locales: readonly string[];
  /** Other spellings, in lower case, that tools have written. */
  aliases: Readonly<Record<string, string>>;
}

const tables: readonly StoreLocales[] = [
  {
    store: 'ios',
    locales:
      `ar-SA bn-BD ca cs da de-DE el en-AU en-CA en-GB en-US es-ES es-MX fi fr-CA fr-FR gu-IN he
      hi hr hu id it ja kn-IN ko ml-IN mr-IN ms nl-NL no or-IN pa-IN pl pt-BR pt-PT ro ru sk sl-SI
      sv ta-IN te-IN th tr uk ur-PK vi zh-Hans zh-Hant`.split(/\s+/),
    aliases: {
      bn: 'bn-BD',
      gu: 'gu-IN',
      kn: 'kn-IN',
      ml: 'ml-IN',
      mr: 'mr-IN',
      or: 'or-IN',
      pa: 'pa-IN',
      sl: 'sl-SI',
      ta: 'ta-IN',
      te: 'te-IN',
      ur: 'ur-PK',
      'zh-cn': 'zh-Hans',
      'zh-tw': 'zh-Hant',
      'zh-hk': 'zh-Hant',
      'zh-mo': 'zh-Hant',
    },
  },
  {
    store: 'android',
    locales:
      `af sq am ar hy-AM az-AZ bn-BD eu-ES be bg my-MM ca zh-HK zh-CN zh-TW hr cs-CZ da-DK nl-NL
      en-AU en-CA en-GB en-IN en-SG en-US en-ZA et fil fi-FI fr-CA fr-FR gl-ES ka-GE de-DE el-GR gu
      iw-IL hi-IN hu-HU is-IS id it-IT ja-JP kn-IN kk km-KH ko-KR ky-KG lo-LA lv lt mk-MK ms-MY ms
      ml-IN mr-IN mn-MN ne-NP no-NO fa fa-AE fa-AF fa-IR pl-PL pt-BR pt-PT pa ro rm ru-RU sr si-LK
      sk sl es-419 es-ES es-US sw sv-SE ta-IN te-IN th tr-TR uk ur vi zu`.split(/\s+/),
    aliases: { he: 'iw-IL', 'he-il': 'iw-IL', 'zh-hans': 'zh-CN', 'zh-hant': 'zh-TW' },
  },
];

/** The 11 languages that the App Store added in 2026, which older tools do not know. */
export const localesOf2026: readonly string[] = [
  'bn-BD',
  'gu-IN',
  'kn-IN',
  'ml-IN',
  'mr-IN',
  'or-IN',
  'pa-IN',
  'sl-SI',
  'ta-IN',
  'te-IN',
  'ur-PK',
];

/** The store's locales in the store's spelling; empty for a store without a list. */
export function localesOf(store: StoreName): readonly string[] {
  return tables.find((table) => table.store === store)?.locales ?? [];
}

/** The store's spelling of a locale; null when the store has no such locale. */
export function readLocale(store: StoreName, written: string): string | null {
  const table = tables.find((one) => one.store === store);
  const lower = written.toLowerCase().replaceAll('_', '-');
  return (
    table?.locales.find((locale) => locale.toLowerCase() === lower) ??
    (table && Object.hasOwn(table.aliases, lower) ? table.aliases[lower]! : null)
  );
}

/** The language of a locale, in lower case: `zh` of `zh-Hans`. */
export const languageOf = (locale: string): string => locale.toLowerCase().split(/[-_]/)[0]!;
