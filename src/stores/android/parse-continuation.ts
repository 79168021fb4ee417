import type { AppCard } from '../../domain/ports.ts';
import { unreadable } from '../failures.ts';
import { dedupeById } from '../shape.ts';
import { field, isPackageName } from './fields.ts';
import { missingRpc } from './islands.ts';
import { readSearchItem, readToken, toCard, type PlayPage } from './parse-search.ts';

export const continuationRpc = 'qnKhOb';
const guard = ")]}'";

/**
 * Reads the answer of `qnKhOb`; null when the store gave no payload, which is how it turns a token down.
 * Paths are those of google-play-scraper 10.1.3; no recording of such an answer is known (2026-07).
 * Throws StoreError `refused` or `unreadable`.
 */
export function parsePlayContinuation(body: string): PlayPage | null {
  const frame = readFrames(body).find((candidate) => candidate[0] === 'wrb.fr' && candidate[1] === continuationRpc);
  if (frame === undefined) throw missingRpc(body, continuationRpc);
  const payload = readPayload(frame[2]);
  if (payload === null) return null;
  const items = field(payload, [0, 0, 0]);
  if (!Array.isArray(items)) throw unreadable('android', 'continuation', 'no list of apps');
  return { items: dedupeById(items.map(readItem)), token: readToken(field(payload, [0, 0, 7, 1])) };
}

/** Pages after the first came in the layout of clusters; clusters themselves have moved to that of search since. */
function readItem(item: unknown): AppCard {
  const id = field(item, [12, 0]);
  if (!isPackageName(id)) return readSearchItem(isPackageName(field(item, [0, 0])) ? item : field(item, [0]));
  return toCard({
    id,
    name: field(item, [2]),
    developer: field(item, [4, 0, 0, 0]),
    icon: field(item, [1, 1, 0, 3, 2]),
    rating: field(item, [6, 0, 2, 1, 1]),
    ratingCount: null,
  });
}

/** One array after the guard, or chunks of a length line and an array; each array holds frames. */
function readFrames(body: string): unknown[][] {
  const start = body.trimStart();
  if (!start.startsWith(guard)) throw missingRpc(body, continuationRpc);
  const text = start.slice(guard.length).trim();
  const chunks = /^\d{1,10}\s/.test(text) ? text.split('\n').filter((line) => line.startsWith('[')) : [text];
  return chunks.flatMap((chunk) => {
    const frames = parseJson(chunk);
    if (!Array.isArray(frames)) throw unreadable('android', 'frames', 'frames that are not a list');
    return frames.filter((frame): frame is unknown[] => Array.isArray(frame));
  });
}

function readPayload(payload: unknown): unknown {
  if (payload === null || payload === undefined) return null;
  if (typeof payload !== 'string') throw unreadable('android', 'payload', 'a payload that is not text');
  return parseJson(payload);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('android', 'json', 'a frame that is not JSON');
  }
}
