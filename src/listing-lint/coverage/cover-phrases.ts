import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { listMissingWords, wordFinder } from '#lib/phrase-words.ts';
import type { Listing, LocaleTexts } from '#listing-files/listing.ts';
import { readLocale } from '#listing-files/locales.ts';
import { profileOf, type StoreName } from '#stores/profiles.ts';

/** The tracked phrases of an app, and the locales whose words the searches of a country find. */
export interface Tracked {
  store: StoreName;
  phrases: readonly { phrase: string; country: string }[];
  /** By country. A country that is missing is searched in every locale of the listing. */
  locales: ReadonlyMap<string, readonly string[]>;
}

export interface CountryCoverage {
  country: string;
  total: number;
  /** Null without a base to compare with. */
  before: number | null;
  after: number;
  gained: string[];
  lost: string[];
}

/** The texts by which a store finds an app. */
export function searchedText(store: StoreName, texts: LocaleTexts): string {
  const hasField = profileOf(store).texts.keywordField !== null;
  const parts = hasField
    ? [texts.title, texts.subtitle, texts.keywordField]
    : [texts.title, texts.summary, texts.description];
  // A comma ends a keyword, so words beside it are no phrase.
  return parts.map((text) => text?.value.replaceAll(',', '\n') ?? '').join('\n');
}

/** The locales of a listing whose words the searches of a country find. */
export function localesOfCountry(
  listing: Listing,
  { locales }: Tracked,
  country: string,
): [string, LocaleTexts][] {
  const found = locales.get(country);
  return [...listing.locales].filter(
    ([name]) => !found || found.includes(readLocale(listing.store, name) ?? name),
  );
}

/** By country, the phrases of which one locale has every word. */
function coverPhrases(listing: Listing | null, tracked: Tracked): Map<string, Set<string>> {
  const byCountry = Map.groupBy(tracked.phrases, ({ country }) => country);
  return new Map(
    [...byCountry].map(([country, phrases]) => {
      const finders = (listing ? localesOfCountry(listing, tracked, country) : []).map(
        ([, texts]) => wordFinder(searchedText(tracked.store, texts)),
      );
      const covered = phrases.filter(({ phrase }) =>
        finders.some((holds) => listMissingWords(normalisePhrase(phrase), holds).length === 0),
      );
      return [country, new Set(covered.map(({ phrase }) => phrase))];
    }),
  );
}

/** The coverage of a listing by country; with a base, the phrases that are gained and lost. */
export function compareCoverage(
  listing: Listing,
  tracked: Tracked,
  base?: { listing: Listing | null },
): CountryCoverage[] {
  const after = coverPhrases(listing, tracked);
  const before = base && coverPhrases(base.listing, tracked);
  return [...after]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([country, covered]) => {
      const had = before?.get(country);
      return {
        country,
        total: new Set(
          tracked.phrases.filter((one) => one.country === country).map(({ phrase }) => phrase),
        ).size,
        before: had?.size ?? null,
        after: covered.size,
        gained: had ? [...covered].filter((phrase) => !had.has(phrase)).toSorted() : [],
        lost: had ? [...had].filter((phrase) => !covered.has(phrase)).toSorted() : [],
      };
    });
}
