import { profileOf } from '#stores/profiles.ts';
import { listingTexts } from '#stores/profiles.ts';
import type { FormatName, ListingField } from '#listing-files/listing.ts';
import type { StoreName } from '#stores/profiles.ts';

interface Limit {
  min?: number;
  /** In code points. */
  max: number;
}

interface MoreLimits {
  store: StoreName;
  limits: Partial<Record<ListingField, Limit>>;
}

/** Limits of texts that the profile of a store does not have, as the store documents them. */
const more: readonly MoreLimits[] = [
  {
    store: 'ios',
    limits: {
      title: { min: 2, max: 30 },
      promotionalText: { max: 170 },
      whatsNew: { max: 4_000 },
      supportUrl: { max: 255 },
      marketingUrl: { max: 255 },
      privacyUrl: { max: 255 },
      privacyChoicesUrl: { max: 255 },
    },
  },
  { store: 'android', limits: { whatsNew: { max: 500 } } },
];

/** F-Droid cuts a longer text. Its names may be longer than those of Google Play. */
const ofFDroid: Partial<Record<ListingField, Limit>> = {
  title: { max: 50 },
  summary: { max: 80 },
  description: { max: 4_000 },
  whatsNew: { max: 500 },
  video: { max: 256 },
};

/** The limit of a text; undefined where the store documents none. */
export function limitOf(
  store: StoreName,
  format: FormatName,
  field: ListingField,
): Limit | undefined {
  if (format === 'f-droid') return ofFDroid[field];
  const own = more.find((one) => one.store === store)?.limits[field];
  const text = listingTexts.find((name) => name === field);
  return own ?? (text && (profileOf(store).texts[text] ?? undefined));
}
