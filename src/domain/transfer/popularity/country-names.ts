/** Names that Apple and others use besides those of Unicode. */
const otherNames: Readonly<Record<string, string>> = {
  'antigua and barbuda': 'ag',
  'bosnia and herzegovina': 'ba',
  'brunei darussalam': 'bn',
  'cape verde': 'cv',
  'china mainland': 'cn',
  'congo, democratic republic of the': 'cd',
  'congo, republic of the': 'cg',
  "cote d'ivoire": 'ci',
  'czech republic': 'cz',
  'hong kong': 'hk',
  'ivory coast': 'ci',
  'korea, republic of': 'kr',
  'lao people’s democratic republic': 'la',
  macao: 'mo',
  macau: 'mo',
  macedonia: 'mk',
  'mainland china': 'cn',
  'micronesia, federated states of': 'fm',
  myanmar: 'mm',
  palestine: 'ps',
  'republic of korea': 'kr',
  'republic of moldova': 'md',
  russia: 'ru',
  'russian federation': 'ru',
  'sao tome and principe': 'st',
  swaziland: 'sz',
  'st. kitts and nevis': 'kn',
  'st. lucia': 'lc',
  'st. vincent and the grenadines': 'vc',
  'taiwan, province of china': 'tw',
  'trinidad and tobago': 'tt',
  turkey: 'tr',
  turkiye: 'tr',
  'turks and caicos islands': 'tc',
  uk: 'gb',
  'united republic of tanzania': 'tz',
  'united states of america': 'us',
  usa: 'us',
  'viet nam': 'vn',
};

/** The codes of countries, and codes by folded names. */
let known: { codes: Set<string>; names: Map<string, string> } | undefined;

/** The code of a country by its English name or its code; null when it is unknown. */
export function countryOf(text: string): string | null {
  const { codes, names } = (known ??= readNames());
  const folded = fold(text);
  return names.get(folded) ?? (codes.has(folded) ? folded : null);
}

/** Takes 10 ms, for which no start should wait. */
function readNames(): NonNullable<typeof known> {
  const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];
  const pairs = alphabet.flatMap((first) => alphabet.map((second) => first + second));
  // Codes of former countries are those of others today, and are left out.
  const codes = new Set(pairs.filter(isCurrent));
  const names = new Map([
    ...englishNames([...codes]),
    ...Object.entries(otherNames).map(([name, code]) => [fold(name), code] as const),
  ]);
  return { codes, names };
}

function isCurrent(code: string): boolean {
  const region = code.toUpperCase();
  return new Intl.Locale(`und-${region}`).region === region;
}

function* englishNames(regions: readonly string[]): Generator<[string, string]> {
  for (const style of ['long', 'short'] as const) {
    const known = new Intl.DisplayNames('en', { type: 'region', style, fallback: 'none' });
    for (const code of regions) {
      const name = known.of(code.toUpperCase());
      if (name !== undefined) yield [fold(name), code];
    }
  }
}

/** Without accents, and with one form of `and`, of apostrophes and of spaces. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('’', "'")
    .replaceAll('&', ' and ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
