import type { StoreReview } from '#domain/base/ports.ts';
import { refused, unreadable } from '../store-errors.ts';
import { readInstant, readText } from '../value-readers.ts';
import { labelOf, pageIn, readFeed } from './feed.ts';
import { expectRead } from './results.ts';
import { childOf, readXml, type XmlElement } from './xml.ts';

export interface ItunesReviews {
  reviews: StoreReview[];
  /** Entries of the page, including the app's own entry of old feeds. */
  entries: number;
  /** The last page that the feed itself names, or null. */
  lastPage: number | null;
}

/** The facts of an entry as the feed wrote them; only the app's own entry has its name. */
type Entry = Record<
  'id' | 'author' | 'rating' | 'title' | 'body' | 'version' | 'updated' | 'appName',
  unknown
>;

/** Whole feeds lack these, and then all of their entries do. */
const partsOfFeeds = ['version', 'updated'] as const;

/**
 * Reads a page of `/rss/customerreviews/…/json`. Checked on recordings of 2021, which have no
 * `updated`: such reviews have no date. Times have Pacific offsets. Throws StoreError `refused`,
 * `unreadable` or `bad_request`.
 */
export function parseItunesReviews(body: string): ItunesReviews {
  const { entries, lastPage } = readFeed(body);
  const read = entries.map((entry) => ({
    id: labelOf(entry['id']),
    author: labelOf((entry['author'] as Record<string, unknown> | undefined)?.['name']),
    rating: labelOf(entry['im:rating']),
    title: labelOf(entry['title']),
    body: labelOf(entry['content']),
    version: labelOf(entry['im:version']),
    updated: labelOf(entry['updated']),
    appName: labelOf(entry['im:name']),
  }));
  return { reviews: readEntries(read), entries: entries.length, lastPage };
}

/** Reads the page as `/xml`, where the text is beside its HTML. Throws as the JSON form does. */
export function parseItunesReviewsXml(body: string): ItunesReviews {
  const text = body.trim();
  if (text === '') throw refused('ios', 'empty');
  if (/^<(!doctype )?html/i.test(text)) throw refused('ios', 'html');
  const feed = readXml(text);
  if (feed.name !== 'feed') throw unreadable('ios', 'feed', 'no feed');
  const entries = feed.children.filter((child) => child.name === 'entry');
  const others = feed.children.filter((child) => child.name !== 'entry');
  if (others.some((child) => childOf(child, 'im:rating') !== null))
    throw unreadable('ios', 'entries-moved', 'entries of another name');
  const last = feed.children.find(
    (child) => child.name === 'link' && child.attributes['rel'] === 'last',
  );
  const read = entries.map((entry) => {
    const of = (name: string) => childOf(entry, name)?.text;
    const author = childOf(entry, 'author');
    return {
      id: of('id'),
      author: author === null ? undefined : childOf(author, 'name')?.text,
      rating: of('im:rating'),
      title: of('title'),
      body: plainContent(entry)?.text,
      version: of('im:version'),
      updated: of('updated'),
      appName: of('im:name'),
    };
  });
  return {
    reviews: readEntries(read),
    entries: entries.length,
    lastPage: pageIn(last?.attributes['href']),
  };
}

/** The text, and never its HTML. */
function plainContent(entry: XmlElement): XmlElement | undefined {
  return entry.children.find(({ name, attributes }) => {
    return name === 'content' && (attributes['type'] ?? 'text') === 'text';
  });
}

/**
 * Feeds before 2018 begin with an entry of the app itself, without a rating. Any other entry
 * without a rating means another layout.
 */
function readEntries(entries: readonly Entry[]): StoreReview[] {
  const rated = entries.filter((entry) => entry.rating !== undefined);
  const others = entries.filter((entry) => entry.rating === undefined);
  if (others.length > 1 || others.some(({ appName }) => appName === undefined))
    throw unreadable('ios', 'im-rating', 'entries without a rating');
  for (const part of partsOfFeeds) {
    const having = rated.filter((entry) => entry[part] !== undefined);
    if (having.length > 0 && having.length < rated.length)
      throw unreadable('ios', part, `${having.length} of ${rated.length} entries with ${part}`);
  }
  const byId = new Map<string, StoreReview>();
  for (const review of rated.map(readReview))
    if (!byId.has(review.storeReviewId)) byId.set(review.storeReviewId, review);
  return [...byId.values()];
}

function isReviewId(id: unknown): id is string {
  return typeof id === 'string' && /^\d{1,20}$/.test(id.trim());
}

/** A review whose parts are all there; each of them may be an empty text. */
function readReview(entry: Entry): StoreReview {
  const { id } = entry;
  if (!isReviewId(id)) throw unreadable('ios', 'review-id', 'a review without an id');
  for (const part of ['author', 'title', 'body'] as const)
    if (typeof entry[part] !== 'string')
      throw unreadable('ios', part, `a review without its ${part}`);
  const rating =
    typeof entry.rating === 'string' && /^[1-5]$/.test(entry.rating.trim())
      ? Number(entry.rating)
      : undefined;
  const text = (fact: 'author' | 'title' | 'version', maxLength: number) =>
    trimmed(expectRead(readText(entry[fact], maxLength), fact));
  return {
    storeReviewId: id.trim(),
    author: text('author', 300),
    rating: expectRead(rating, 'im:rating'),
    title: text('title', 1_000),
    body: trimmed(expectRead(readText(entry.body, 20_000), 'content')) ?? '',
    version: text('version', 100),
    reviewedAt: expectRead(readInstant(entry.updated), 'updated'),
    reply: null,
  };
}

function trimmed(text: string | null): string | null {
  return text === null ? null : text.trim();
}
