import type { AppCard, StoreError } from '#domain/base/ports.ts';
import { createFieldReader, firstOf } from '../field-reader.ts';
import { badRequest, notOffered, refused, unreadable } from '../store-errors.ts';
import { macDevice } from './urls.ts';
import { isRecord, readHttpUrl, readRatings, readText, required } from '../value-readers.ts';

export type ItunesResult = Record<string, unknown>;

/**
 * Wraps a parser with the meaning of the status: these paths are never "not found", and 400 is our
 * own mistake, whatever its body.
 */
export function readReply<Result>(parse: (body: string) => Result) {
  return ({ status, body }: { status: number; body: string }): Result => {
    if (status === 404) throw unreadable('ios', 'status-404', 'status 404');
    if (status === 400) throw readBadRequest(body);
    return parse(body);
  };
}

/**
 * The envelope `{resultCount, results}` of search and lookup. The body starts with newlines and
 * comes as text/javascript, so only parsing decides. A blocked address gets an empty body or HTML,
 * with status 200.
 */
export function readResults(body: string, limit: number): ItunesResult[] {
  const text = body.trim();
  if (text === '') throw refused('ios', 'empty');
  if (text.startsWith('<')) throw refused('ios', 'html');
  const envelope = parseJson(text);
  if (!isRecord(envelope)) throw unreadable('ios', 'envelope', 'not an object');
  if (typeof envelope['errorMessage'] === 'string')
    throw readErrorMessage(envelope['errorMessage']);
  const { results, resultCount } = envelope;
  if (!Array.isArray(results)) throw unreadable('ios', 'results', 'no results array');
  if (resultCount !== results.length)
    throw unreadable(
      'ios',
      'result-count',
      `${String(resultCount).slice(0, 20)} is not ${results.length}`,
    );
  if (results.length > limit)
    throw unreadable('ios', 'too-many', `${results.length} results for a limit of ${limit}`);
  if (!results.every(isRecord)) throw unreadable('ios', 'result', 'a result that is not an object');
  return results;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('ios', 'json', `not JSON: ${JSON.stringify(text.slice(0, 40))}`);
  }
}

function readBadRequest(body: string): StoreError {
  const message = readMessage(body);
  return message === null
    ? badRequest('ios', 'status-400', 'status 400')
    : readErrorMessage(message);
}

/** Null for the page of an edge server, which states no reason. */
function readMessage(body: string): string | null {
  try {
    const envelope: unknown = JSON.parse(body);
    return isRecord(envelope) && typeof envelope['errorMessage'] === 'string'
      ? envelope['errorMessage']
      : null;
  } catch {
    return null;
  }
}

/** Apple names the rejected parameter in brackets. */
function readErrorMessage(message: string): StoreError {
  const detail = message.slice(0, 200);
  return message.includes('[country]')
    ? notOffered('ios', 'country', detail)
    : badRequest('ios', 'error-message', detail);
}

/** For facts without which nothing else counts: another type than expected is unreadable. */
export function expectRead<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw unreadable('ios', 'type', `${field} has another type`);
  return value;
}

export function readCard(result: ItunesResult): AppCard {
  const { trackId } = result;
  const name = expectRead(readText(result['trackName'], 500), 'trackName');
  if (!Number.isSafeInteger(trackId) || Number(trackId) <= 0)
    throw unreadable('ios', 'track-id', 'a result without trackId');
  requireOwnAddress(result['trackViewUrl'], String(trackId));
  if (name === null) throw unreadable('ios', 'track-name', 'a result without trackName');
  const fields = createFieldReader<keyof AppCard>();
  const artwork = ['artworkUrl512', 'artworkUrl100', 'artworkUrl60'].map((key) => result[key]);
  const ratings = readRatings(result['averageUserRating'], result['userRatingCount']);
  const makers = [result['artistName'], result['sellerName']].map((maker) => readText(maker, 500));
  const card = {
    storeAppId: String(trackId),
    bundleId: fields.read('bundleId', required(readText(result['bundleId'], 300))),
    name,
    developer: fields.read('developer', required(firstOf(...makers))),
    iconUrl: fields.read('iconUrl', required(firstOf(...artwork.map(readHttpUrl)))),
    rating: fields.read('rating', ratings.rating),
    ratingCount: fields.read('ratingCount', ratings.ratingCount),
  };
  return { ...card, unread: fields.unread };
}

/**
 * An address of a page names its app a second time, in its last segment: the name before may begin
 * with `id` and a number, too.
 */
export function requireOwnAddress(address: unknown, storeAppId: string): void {
  const path = typeof address === 'string' ? /^[^?#]*/.exec(address)![0] : '';
  const named = path
    .split('/')
    .findLast((segment) => /^id\d{1,19}$/.test(segment))
    ?.slice(2);
  if (named !== undefined && named !== storeAppId)
    throw unreadable('ios', 'other-id', `an app ${storeAppId} with the address of ${named}`);
}

const macKind = 'mac-software';
/** Books are the only media without a wrapper. */
const otherKind = 'ebook';
/** Music, films and developers, whose ids somebody may take for an app's. */
const otherWrappers: readonly unknown[] = ['track', 'collection', 'artist', 'audiobook'];

/**
 * False for a result that is certainly another thing. A kind that nobody has seen is unreadable:
 * skipped, it would read as an app that the country does not offer, or that has no position.
 */
export function isApp({ kind, wrapperType, bundleId }: ItunesResult): boolean {
  if (kind === 'software' || kind === macKind) return true;
  if (kind === otherKind) return false;
  if (bundleId !== undefined || !otherWrappers.includes(wrapperType))
    throw unreadable('ios', 'kind', `a result of the kind ${String(kind).slice(0, 40)}`);
  return false;
}

export const isMacApp = ({ kind }: ItunesResult): boolean => kind === macKind;

/** Mac apps among the apps for iPhone and iPad have no position there, nor have those on a Mac. */
export const runsOn = (result: ItunesResult, device: string): boolean =>
  isMacApp(result) === (device === macDevice);
