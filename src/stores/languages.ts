/**
 * The language in which people of a country see their store. Play orders results by `hl` as much as
 * by `gl`, so the requested language affects the result.
 */
const countriesByLanguage: Record<string, string> = {
  ar: 'ae bh dz eg iq jo kw lb ly ma mr om ps qa sa sd sy tn ye',
  az: 'az',
  bg: 'bg',
  ca: 'ad',
  cs: 'cz',
  da: 'dk fo gl',
  de: 'at ch de li',
  el: 'cy gr',
  en:
    'ag ai bb bm bs bt bw bz dm er fj fm gd gh gi gm gy ie jm ke kn ky lc lk lr ms mt mu mv mw ' +
    'na ng nr nz pg pk pw rw sb sc sg sl so sz tc to tt tz ug us vc vg vu ws za zm zw',
  'en-AU': 'au',
  'en-CA': 'ca',
  'en-GB': 'gb',
  'en-IN': 'in',
  'es-419': 'ar bo cl co cr cu do ec gt hn mx ni pa pe pr py sv uy ve',
  es: 'es gq',
  et: 'ee',
  fa: 'af ir',
  fi: 'fi',
  fil: 'ph',
  fr: 'bf bi bj cd cf cg ci cm dj fr ga gf gn gp km lu mc mg ml mq nc ne pf re sn td tg',
  he: 'il',
  hr: 'ba hr',
  hu: 'hu',
  hy: 'am',
  id: 'id',
  is: 'is',
  it: 'it sm va',
  ja: 'jp',
  ka: 'ge',
  kk: 'kz',
  km: 'kh',
  ko: 'kr',
  ky: 'kg',
  lo: 'la',
  lt: 'lt',
  lv: 'lv',
  mk: 'mk',
  mn: 'mn',
  ms: 'bn my',
  my: 'mm',
  ne: 'np',
  nl: 'aw be cw nl sr sx',
  no: 'no',
  pl: 'pl',
  'pt-BR': 'br',
  'pt-PT': 'ao cv gw mz pt st tl',
  ro: 'md ro',
  ru: 'by ru tj tm',
  sk: 'sk',
  sl: 'si',
  sq: 'al xk',
  sr: 'me rs',
  sv: 'se',
  th: 'th',
  tr: 'tr',
  uk: 'ua',
  uz: 'uz',
  vi: 'vn',
  'zh-CN': 'cn',
  'zh-HK': 'hk mo',
  'zh-TW': 'tw',
};

const languageByCountry = new Map(
  Object.entries(countriesByLanguage).flatMap(([language, countries]) =>
    countries.split(' ').map((country) => [country, language] as const),
  ),
);

/** The countries of the table, each with its request language. */
export function knownCountries(): { country: string; language: string }[] {
  return [...languageByCountry].map(([country, language]) => ({ country, language }));
}

/** The `hl` for Play; English for a country outside the table. */
export function playLanguage(country: string): string {
  return languageByCountry.get(country.toLowerCase()) ?? 'en';
}

/**
 * iTunes documents two values of `lang`. People of other countries see its default for the country,
 * so none is sent.
 */
export function itunesLanguage(country: string): string | null {
  return country.toLowerCase() === 'jp' ? 'ja_jp' : null;
}
