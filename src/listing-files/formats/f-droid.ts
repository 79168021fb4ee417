import type { ListingField } from '../listing.ts';
import { compareVersionCodes, parseAndroidPath } from './supply.ts';
import { strip, textFileFormat } from './text-files.ts';

const fields: Readonly<Record<string, ListingField>> = {
  name: 'title',
  title: 'title',
  summary: 'summary',
  short_description: 'summary',
  description: 'description',
  full_description: 'description',
  video: 'video',
};
const keys: Partial<Record<ListingField, string>> = {
  title: 'name',
  summary: 'summary',
  description: 'description',
  video: 'video',
};

/** F-Droid's own names; it also reads the folders of supply, when it is named. */
export const fDroid = textFileFormat({
  name: 'f-droid',
  store: 'android',
  fields: ['title', 'summary', 'description', 'whatsNew', 'video'],
  empties: 'missing',
  depths: [2, 3],
  parse: (parts) => parseAndroidPath(parts, fields),
  recognizes: (files) => files.some(({ name }) => name === 'summary.txt'),
  pathOf: ({ locale, field, release }) =>
    field === 'whatsNew' ? `${locale}/changelogs/${release}.txt` : `${locale}/${keys[field]!}.txt`,
  send: (raw) => strip(raw) || null,
  newFileEnd: '\n',
  compareReleases: compareVersionCodes,
  hasVersions: true,
  firstRelease: 'default',
  defaultLocale: () => null,
  settings: [],
});
