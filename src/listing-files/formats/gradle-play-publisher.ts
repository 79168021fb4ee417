import { below, type ListingField } from '../listing.ts';
import { strip, textFileFormat } from './text-files.ts';

const fields: Readonly<Record<string, ListingField>> = {
  title: 'title',
  'short-description': 'summary',
  'full-description': 'description',
  'video-url': 'video',
};
const keys = new Map(Object.entries(fields).map(([key, field]) => [field, key]));
const languageFile = 'default-language.txt';
const tracks = ['production', 'beta', 'alpha', 'internal'];

/**
 * Gradle Play Publisher, `src/<sourceSet>/play`: texts that a locale lacks are those of the default
 * language.
 */
export const gradlePlayPublisher = textFileFormat({
  name: 'gradle-play-publisher',
  store: 'android',
  fields: ['title', 'summary', 'description', 'whatsNew', 'video'],
  // A text that is missing or empty is that of the default language.
  empties: 'never',
  depths: [3],
  parse: (parts) => {
    const [kind, locale = '', name = ''] = parts;
    if (parts.length !== 3 || locale.startsWith('.') || !name.endsWith('.txt')) return null;
    const key = name.slice(0, -4);
    if (kind === 'release-notes') return { locale, field: 'whatsNew', release: key };
    return kind === 'listings' && Object.hasOwn(fields, key)
      ? { locale, field: fields[key]! }
      : null;
  },
  recognizes: () => true,
  pathOf: ({ locale, field, release }) =>
    field === 'whatsNew'
      ? `release-notes/${locale}/${release}.txt`
      : `listings/${locale}/${keys.get(field)!}.txt`,
  send: (raw) => strip(raw.replace(/\r\n?/g, '\n')) || null,
  newFileEnd: '',
  compareReleases: (one, other) => orderOf(one) - orderOf(other) || (one < other ? -1 : 1),
  hasVersions: false,
  firstRelease: 'default',
  defaultLocale: (root, texts) => strip(texts.get(below(root, languageFile)) ?? '') || null,
  settings: [languageFile],
});

/** Production first, tracks of the developer's own after the known ones, and `default` last. */
function orderOf(track: string): number {
  if (track === 'default') return tracks.length + 1;
  const at = tracks.indexOf(track);
  return at === -1 ? tracks.length : at;
}
