import type { AppCard } from '#domain/base/ports.ts';
import { unreadable } from '../store-errors.ts';
import { dedupeById } from '../value-readers.ts';
import { field } from './fields.ts';
import { readRpcPayload } from './frames.ts';
import { chartRpc } from './chart-request.ts';
import { readSearchItem, requireAllApps } from './parse-search.ts';

/**
 * Reads a top chart, best first; null when the store has no such chart.
 * Checked on the recording of 2026-07 (free games: 100 apps in a frame that begins with its
 * length). Throws StoreError `refused` or `unreadable`.
 */
export function parsePlayChart(body: string): AppCard[] | null {
  const payload = readRpcPayload(body, chartRpc);
  if (payload === null) return null;
  const sections = field(payload, [0, 1]);
  if (!Array.isArray(sections)) throw unreadable('android', 'sections', 'no list of sections');
  const items = sections
    .map((section) => field(section, [28, 0]))
    .find((candidate) => Array.isArray(candidate));
  if (!Array.isArray(items) || items.length === 0)
    throw unreadable('android', 'chart', 'no list of apps');
  const apps = dedupeById(items.map((item) => readSearchItem(field(item, [0]))));
  requireAllApps(payload, apps);
  return apps;
}
