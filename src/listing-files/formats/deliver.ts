import type { ListingField } from '../listing.ts';
import { strip, textFileFormat } from './text-files.ts';

const fields: Readonly<Record<string, ListingField>> = {
  name: 'title',
  subtitle: 'subtitle',
  keywords: 'keywordField',
  promotional_text: 'promotionalText',
  description: 'description',
  release_notes: 'whatsNew',
  support_url: 'supportUrl',
  marketing_url: 'marketingUrl',
  privacy_url: 'privacyUrl',
  apple_tv_privacy_policy: 'privacyText',
};
const keys = new Map(Object.entries(fields).map(([key, field]) => [field, key]));

/** `review_information` has a person's phone number and a demo password: it is never opened. */
const otherFolders = new Set([
  'review_information',
  'app_clip_review_information',
  'trade_representative_contact_information',
  'appletv',
  'imessage',
  'fonts',
]);
/** F-Droid has these names too. */
const shared = new Set(['name.txt', 'description.txt']);

/** fastlane deliver: `<locale>/<key>.txt`; `default/` fills what a locale lacks. */
export const deliver = textFileFormat({
  name: 'deliver',
  store: 'ios',
  fields: Object.values(fields),
  empties: 'never',
  depths: [2],
  parse: (parts) => {
    const key = parts.length === 2 ? /^([a-z_]+)\.txt$/.exec(parts[1]!)?.[1] : undefined;
    if (key === undefined || !Object.hasOwn(fields, key)) return null;
    return otherFolders.has(parts[0]!.toLowerCase())
      ? null
      : { locale: parts[0]!, field: fields[key]! };
  },
  recognizes: (files) =>
    files.some(({ name }) => !shared.has(name)) ||
    (files.some(({ name }) => name === 'name.txt') &&
      files.some(({ name }) => name === 'description.txt')),
  pathOf: ({ locale, field }) => `${locale}/${keys.get(field)!}.txt`,
  // An empty file is skipped, and the store keeps its text.
  send: (raw) => strip(raw) || null,
  newFileEnd: '\n',
  compareReleases: () => 0,
  hasVersions: false,
  firstRelease: '',
  defaultLocale: () => 'default',
  settings: [],
});
