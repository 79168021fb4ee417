import { decodeEntities } from '../html-entities.ts';
import { findRefusalMarker } from '../refusals.ts';
import { refused, unreadable } from '../store-errors.ts';
import { isRecord } from '../value-readers.ts';

const island = 'id="serialized-server-data">';

/**
 * The entries of a page of apps.apple.com, whose facts are all in one island of JSON: a bare list,
 * or the member `data`. Some builds escape it as HTML. Throws StoreError `refused` or `unreadable`.
 */
export function readPageData(html: string): unknown[] {
  const from = html.indexOf(island);
  const to = html.indexOf('</script>', from);
  if (html.trim() === '') throw refused('ios', 'empty');
  if (from < 0 || to < 0) {
    const marker = findRefusalMarker(html);
    throw marker === null
      ? unreadable('ios', 'island-missing', 'a page without its data')
      : refused('ios', marker);
  }
  const parsed = parseJson(html.slice(from + island.length, to).trim());
  const entries = isRecord(parsed) ? parsed['data'] : parsed;
  if (!Array.isArray(entries)) throw unreadable('ios', 'page-data', 'no entries in the page');
  return entries;
}

function parseJson(text: string): unknown {
  try {
    // Plain JSON begins a member with a quote, escaped JSON with an entity.
    return JSON.parse(/^[[{\s]*&/.test(text) ? decodeEntities(text) : text);
  } catch {
    throw unreadable('ios', 'json', 'an island that is not JSON');
  }
}
