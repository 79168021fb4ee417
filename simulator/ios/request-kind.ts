import { imageHost } from './artwork.ts';

const searchHostKinds: Readonly<Record<string, string>> = {
  '/WebObjects/MZSearchHints.woa/wa/hints': 'hints',
  '/WebObjects/MZSearchHints.woa/wa/trends': 'trends',
  '/WebObjects/MZStore.woa/wa/search': 'mz-search',
};

/** The kind of a request, for the log and the fault rules. */
export function kindOf(host: string, path: string): string {
  if (host === imageHost) return 'image';
  if (host === 'apps.apple.com')
    return path.includes('/app/') ? 'app-page' : path.endsWith('/search') ? 'search' : 'other';
  if (host === 'rss.marketingtools.apple.com') return 'chart-v2';
  if (host === 'search.itunes.apple.com') return searchHostKinds[path] ?? 'other';
  if (path === '/search') return 'search';
  if (path === '/lookup') return 'lookup';
  if (path.includes('/rss/customerreviews/')) return 'reviews';
  if (path.includes('/rss/')) return 'chart';
  return path.includes('/customer-reviews/') ? 'ratings' : 'other';
}
