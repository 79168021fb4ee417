/** A value in the form of Apple's JSON feeds. */
export function label(text: string): { label: string } {
  return { label: text };
}

export interface FeedPath {
  country: string;
  /** `customerreviews`, or the name of a chart. */
  feed: string;
  /** The `name=value` parts in any order, names in lower case. */
  parts: ReadonlyMap<string, string>;
  form: 'json' | 'xml';
}

/** Reads `/{cc}/rss/{feed}/name=value/…/json`. */
export function pathParts(path: string): FeedPath {
  const pieces = path.split('/').filter((piece) => piece !== '');
  const named = pieces
    .filter((piece) => piece.includes('='))
    .map((piece) => piece.split('=') as [string, string]);
  return {
    country: /^[a-z]{2}$/.test(pieces[0] ?? '') ? pieces[0]! : 'us',
    feed: pieces[pieces.indexOf('rss') + 1] ?? '',
    parts: new Map(named.map(([name, value]) => [name.toLowerCase(), value.toLowerCase()])),
    form: pieces.at(-1) === 'xml' ? 'xml' : 'json',
  };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
  '’': '&#x2019;',
};

/** Escapes as Apple does: quotes and apostrophes as numbers. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'’]/g, (sign) => entities[sign]!);
}
