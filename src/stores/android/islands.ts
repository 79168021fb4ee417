import { findRefusalMarker } from '../refusals.ts';
import { refused, unreadable } from '../store-errors.ts';
import type { StoreError } from '#domain/base/ports.ts';

/**
 * Play's pages carry their data as `AF_initDataCallback({key: 'ds:4', …, data:<JSON>, sideChannel:
 * {}});`. The keys change between releases, but the rpc ids in `AF_dataServiceRequests`, which name
 * them, stay. All of it is found with indexOf, so that no hostile page can make a pattern slow.
 * Checked on recordings of 2026-07.
 */
export interface Islands {
  /**
   * The data of every island of the rpc, in page order. `parse` is `parseExact` where a count may
   * exceed 2^53.
   */
  find(rpcId: string, parse?: (text: string) => unknown): unknown[];
}

const dataStart = '>AF_initDataCallback(';
const servicesStart = 'AF_dataServiceRequests';
const servicesEnd = 'AF_initDataChunkQueue';
const scriptEnd = '</script';
const maxIslands = 100;

export function readIslands(html: string): Islands {
  const texts = sliceData(html);
  const rpcIds = readRpcIds(html);
  return {
    find(rpcId, parse = JSON.parse) {
      const keys = [...texts.keys()].filter((key) => rpcIds.get(key) === rpcId);
      return keys.map((key) => parseIsland(texts.get(key)!, rpcId, parse));
    },
  };
}

/**
 * The JSON text of each island by its key. `<` is always escaped in the data, so `</script` ends
 * it.
 */
function sliceData(html: string): Map<string, string> {
  const texts = new Map<string, string>();
  let at = html.indexOf(dataStart);
  for (let seen = 0; at >= 0 && seen < maxIslands; seen++) {
    const end = html.indexOf(scriptEnd, at);
    if (end < 0) break;
    // Searches stay within one island. Searching to the end of the page for each island would take
    // quadratic time.
    const island = html.slice(at + dataStart.length, end);
    const key = /^\{\s?key:\s?'(ds:\d{1,4})'/.exec(island.slice(0, 40))?.[1];
    const from = island.slice(0, 120).indexOf('data:');
    const to = island.lastIndexOf(', sideChannel:');
    if (key !== undefined && !texts.has(key) && from >= 0 && to > from)
      texts.set(key, island.slice(from + 5, to));
    at = html.indexOf(dataStart, end);
  }
  return texts;
}

/**
 * Rpc ids by key. Text in double quotes is skipped, because it contains search phrases with any
 * quotes.
 */
function readRpcIds(html: string): Map<string, string> {
  const from = html.indexOf(servicesStart);
  const to = from < 0 ? -1 : html.indexOf(servicesEnd, from);
  const rpcIds = new Map<string, string>();
  for (let at = from; at < to && rpcIds.size < maxIslands; at++) {
    const character = html[at];
    if (character === '"') at = endOfString(html, at, to);
    else if (character === "'") {
      const entry = /^'(ds:\d{1,4})'\s?:\s?\{\s?id\s?:\s?'(\w{1,24})'/.exec(
        html.slice(at, at + 80),
      );
      if (entry !== null && !rpcIds.has(entry[1]!)) rpcIds.set(entry[1]!, entry[2]!);
      if (entry !== null) at += entry[0].length - 1;
    }
  }
  return rpcIds;
}

function endOfString(text: string, start: number, limit: number): number {
  for (let at = start + 1; at < limit; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return limit;
}

function parseIsland(text: string, rpcId: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch {
    throw unreadable('android', 'island', `the data of ${rpcId} is not JSON`);
  }
}

/**
 * The error for a page without the expected rpc: `refused` for an empty page, which a blocked
 * address gets, and for a gatekeeper's page; otherwise `unreadable`. A page with islands is Play's
 * own, and words of a gatekeeper in it only repeat the query.
 */
export function missingRpc(body: string, rpcId: string): StoreError {
  if (body.trim() === '') return refused('android', 'empty');
  const marker = body.includes(dataStart) ? null : findRefusalMarker(body);
  return marker === null
    ? unreadable('android', 'rpc-missing', `no ${rpcId} in the page`)
    : refused('android', marker);
}
