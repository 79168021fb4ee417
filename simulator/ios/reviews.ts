import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { reviewsOf, type SimReview } from '../world/reviews.ts';
import { escapeXml, label, pathParts } from './rss.ts';

const pageSize = 50;
const maxPages = 10;

/**
 * `GET /{cc}/rss/customerreviews/page=N/id=I/sortby=mostrecent|mosthelpful/json|xml`, its parts in
 * any order: 50 reviews a page, ten pages. The feed of an unknown app has no entries.
 */
export function handleReviews(context: ResponseContext): SimulatedResponse {
  const { country, parts, form } = pathParts(context.url.pathname);
  const page = Number(parts.get('page') ?? 1);
  if (page > maxPages)
    return respond(200, 'text', 'CustomerReviews RSS page depth is limited to 10');
  const id = parts.get('id') ?? '';
  const all = listReviews(context, country, id, parts.get('sortby') === 'mosthelpful');
  const isWithheld = context.mutation === 'entries-withheld';
  const shown = isWithheld ? [] : all.slice((page - 1) * pageSize, page * pageSize);
  const pages = Math.min(maxPages, Math.ceil(all.length / pageSize));
  const addressOf = (at: number) =>
    all.length === 0 ? '' : feedAddress(country, id, Math.min(pages, Math.max(1, at)));
  const links = {
    self: addressOf(page),
    first: addressOf(1),
    last: addressOf(pages),
    previous: addressOf(page - 1),
    next: addressOf(page + 1),
  };
  const feed = { country, id, links, updated: pacific(context.now) };
  return form === 'xml' ? xmlResponse(shown, feed) : jsonResponse(shown, feed, context);
}

interface Feed {
  country: string;
  id: string;
  links: Record<string, string>;
  updated: string;
}

function listReviews(
  context: ResponseContext,
  country: string,
  id: string,
  mostHelpful: boolean,
): SimReview[] {
  const app = context.world.findApp('ios', id, country, context.day);
  if (
    app === null ||
    context.isGone(id) ||
    context.mutation === 'soft-empty' ||
    context.mutation === 'no-results'
  )
    return [];
  const reviews = reviewsOf(context.world, app, country, context.now);
  return mostHelpful ? reviews.toSorted((a, b) => b.votes.up - a.votes.up) : reviews;
}

function jsonResponse(
  reviews: readonly SimReview[],
  feed: Feed,
  { mutation }: ResponseContext,
): SimulatedResponse {
  const entries = reviews.map((review) => ({
    author: {
      uri: label(`https://itunes.apple.com/${feed.country}/reviews/id${review.storeReviewId}`),
      name: label(review.author),
      label: '',
    },
    updated: label(pacific(review.at)),
    [mutation === 'index-moved' ? 'im:stars' : 'im:rating']: label(String(review.rating)),
    'im:version': label(review.version),
    id: label(review.storeReviewId),
    title: label(review.title),
    content: { label: review.body, attributes: { type: 'text' } },
    link: {
      attributes: {
        rel: 'related',
        href: `https://itunes.apple.com/${feed.country}/review?id=${feed.id}&type=Purple%20Software`,
      },
    },
    'im:voteSum': label(String(review.votes.up)),
    'im:contentType': { attributes: { term: 'Application', label: 'Application' } },
    'im:voteCount': label(String(review.votes.all)),
  }));
  // Apple writes a single entry without an array, and omits the key without entries.
  const [only] = entries;
  const entry = entries.length === 0 ? {} : { entry: entries.length === 1 ? only : entries };
  const body = {
    author: { name: label('iTunes Store'), uri: label('http://www.apple.com/itunes/') },
    ...entry,
    updated: label(feed.updated),
    rights: label('Copyright 2008 Apple Inc.'),
    title: label('iTunes Store: Customer Reviews'),
    icon: label('http://itunes.apple.com/favicon.ico'),
    link: Object.entries(feed.links).map(([rel, href]) => ({ attributes: { rel, href } })),
    id: label(feed.links['self'] ?? ''),
  };
  return respond(
    200,
    'script',
    JSON.stringify({ [mutation === 'rpc-renamed' ? 'rss' : 'feed']: body }),
  );
}

function xmlResponse(reviews: readonly SimReview[], feed: Feed): SimulatedResponse {
  const tag = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`;
  const entries = reviews.map((review) =>
    [
      '<entry>',
      tag('updated', pacific(review.at)),
      tag('id', review.storeReviewId),
      tag('title', review.title),
      `<content type="text">${escapeXml(review.body)}</content>`,
      '<im:contentType term="Application" label="Application"/>',
      tag('im:voteSum', String(review.votes.up)) + tag('im:voteCount', String(review.votes.all)),
      tag('im:rating', String(review.rating)) + tag('im:version', review.version),
      `<author>${tag('name', review.author)}` +
        `<uri>https://itunes.apple.com/${feed.country}/reviews/id${review.storeReviewId}</uri>` +
        '</author>',
      `<content type="html">&lt;b&gt;${escapeXml(escapeXml(review.title))}&lt;/b&gt;</content>`,
      '</entry>',
    ].join('\n'),
  );
  const links = Object.entries(feed.links).map(
    ([rel, href]) => `<link rel="${rel}" href="${escapeXml(href)}"/>`,
  );
  const head =
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns:im="http://itunes.apple.com/rss" ' +
    'xmlns="http://www.w3.org/2005/Atom" xml:lang="en">';
  const body = [
    head,
    tag('updated', feed.updated),
    ...links,
    tag('title', 'iTunes Store: Customer Reviews'),
    ...entries,
    '</feed>',
  ].join('\n');
  return respond(200, 'xml', body);
}

function feedAddress(country: string, id: string, page: number): string {
  const path = `/customerreviews/page=${page}/id=${id}/sortby=mostrecent`;
  return `https://itunes.apple.com/${country}/rss${path}/xml?urlDesc=${path}/json`;
}

/** The store writes times of California; summer time is approximated by the month. */
function pacific(instant: Date): string {
  const hours = instant.getUTCMonth() >= 2 && instant.getUTCMonth() <= 9 ? 7 : 8;
  const local = new Date(instant.getTime() - hours * 3_600_000);
  return `${local.toISOString().slice(0, 19)}-0${hours}:00`;
}
