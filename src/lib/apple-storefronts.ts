/**
 * Apple numbers its storefronts consecutively from 143441; `-` marks a number of a country without
 * an App Store. Source: public lists of storefront ids.
 */
const firstStorefront = 143_441;
const inOrder = [
  'us fr de gb at be fi gr ie it lu nl pt es ca se no dk ch au',
  'nz jp hk sg cn kr in mx ru tw vn za my ph th id pk pl sa tr',
  'ae hu cl np pa lk ro mv cz - il ua kw hr cr sk lb qa si rs',
  'co ve br gt ar sv pe do ec hn jm ni py uy mo eg kz ee lv lt',
  'mt - md am bw bg ci jo ke mk mg ml mu ne sn tn ug ai bs ag',
  'bb bm vg ky dm gd ms kn lc vc tt tc gy sr bz bo cy is bh bn',
  'ng om dz ao by uz ly az - mm ye tz gh cm al bj bt bf kh cv',
  'td cg fj gm gw kg la lr mw mr fm mn mz na pw - pg st sc sl',
  'sb sz tj tm zw nr - to vu af - ba cd ga ge - iq - me ma',
  'rw zm - xk',
]
  .join(' ')
  .split(' ');

const storefronts: ReadonlyMap<string, number> = new Map(
  inOrder.flatMap((country, index) =>
    country === '-' ? [] : [[country, firstStorefront + index] as const],
  ),
);

/**
 * The number of a country's App Store for the header `X-Apple-Store-Front`; null for a country
 * without one.
 */
export function storefrontOf(country: string): number | null {
  return storefronts.get(country) ?? null;
}

/** Every country with an App Store. */
export function storefrontCountries(): string[] {
  return [...storefronts.keys()];
}

/** The country of a storefront, or null. */
export function countryOfStorefront(storefront: number): string | null {
  const country = inOrder[storefront - firstStorefront];
  return country === undefined || country === '-' ? null : country;
}
