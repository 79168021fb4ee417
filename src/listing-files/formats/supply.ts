import type { ListingField } from '../listing.ts';
import { textFileFormat, type LocalFile } from './text-files.ts';

const fields: Readonly<Record<string, ListingField>> = {
  title: 'title',
  short_description: 'summary',
  full_description: 'description',
  video: 'video',
};
const keys = new Map(Object.entries(fields).map(([key, field]) => [field, key]));

/** A version code, or `default` for versions without notes of their own. */
const changelog = /^(\d{1,10}|default)\.txt$/;

/** Reads `<locale>/<key>.txt` and `<locale>/changelogs/<versionCode>.txt`. */
export function parseAndroidPath(
  parts: readonly string[],
  names: Readonly<Record<string, ListingField>>,
): LocalFile | null {
  const [locale = '', name = '', notes = ''] = parts;
  if (locale === '' || locale.startsWith('.')) return null;
  if (parts.length === 3 && name === 'changelogs') {
    const release = changelog.exec(notes)?.[1];
    return release === undefined ? null : { locale, field: 'whatsNew', release };
  }
  const key = parts.length === 2 && name.endsWith('.txt') ? name.slice(0, -4) : '';
  return Object.hasOwn(names, key) ? { locale, field: names[key]! } : null;
}

/** The highest version code first, and `default` last. */
export function compareVersionCodes(one: string, other: string): number {
  const codeOf = (release: string) => (release === 'default' ? -1 : Number(release));
  return codeOf(other) - codeOf(one);
}

/** fastlane supply: it sends a file as it is, with its last line end, and an empty one as empty. */
export const supply = textFileFormat({
  name: 'supply',
  store: 'android',
  fields: ['title', 'summary', 'description', 'whatsNew', 'video'],
  empties: 'sent',
  depths: [2, 3],
  parse: (parts) => parseAndroidPath(parts, fields),
  // `listings` is a folder of Gradle Play Publisher, where a title has the same name.
  recognizes: (files, root) =>
    !/(?:^|\/)listings$/.test(root) && files.some(({ name }) => !changelog.test(name)),
  pathOf: ({ locale, field, release }) =>
    field === 'whatsNew'
      ? `${locale}/changelogs/${release}.txt`
      : `${locale}/${keys.get(field)!}.txt`,
  send: (raw) => raw,
  newFileEnd: '',
  compareReleases: compareVersionCodes,
  hasVersions: true,
  firstRelease: 'default',
  defaultLocale: () => null,
  settings: [],
});
