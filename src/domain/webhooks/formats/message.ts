import type { EventData, EventObject, EventType } from '../../../contract/events.ts';
import { formatPosition } from '../../../lib/format-position.ts';

/** What a chat is told: a headline, and a line for each event. */
export interface Message {
  title: string;
  lines: { text: string; link: string | null }[];
  /** Events that the lines have no room for. */
  more: number;
}

const linesMax = 20;
const textMax = 300;

const keywordEvents: readonly EventType[] = ['rank.dropped', 'rank.improved', 'serp.entrant'];

/** Many of these come from one run; chats are told of them together. */
export function isKeywordEvent(type: string): boolean {
  return (keywordEvents as readonly string[]).includes(type);
}

/** One message for one event, or for the keyword events of a run. */
export function composeMessage(events: readonly EventObject[]): Message {
  const shown = events.slice(0, linesMax);
  return {
    title: cut(titleOf(events)),
    lines: shown.map((event) => ({ text: cut(lineOf(event)), link: linkOf(event) })),
    more: events.length - shown.length,
  };
}

/** The first lines that the room holds, and at the end how many more there are. */
export function fitLines(
  lines: readonly string[],
  more: number,
  room: number,
  measure: (text: string) => number = (text) => text.length,
): string[] {
  const fitting: string[] = [];
  let used = 0;
  for (const line of lines) {
    used += measure(line) + 1;
    if (used > room) break;
    fitting.push(line);
  }
  const left = more + lines.length - fitting.length;
  return left > 0 ? [...fitting, `and ${left} more`] : fitting;
}

function titleOf(events: readonly EventObject[]): string {
  const [first] = events;
  const test = first?.test ? 'Test: ' : '';
  const apps = new Set(events.map((event) => event.app?.name ?? 'Toprung'));
  const who = apps.size === 1 ? [...apps][0]! : `${apps.size} apps`;
  return `${test}${who}: ${events.length === 1 ? titles[first!.type] : `${events.length} keyword events`}`;
}

const titles: Record<EventType, string> = {
  'rank.dropped': 'a keyword fell',
  'rank.improved': 'a keyword rose',
  'serp.entrant': 'somebody new in the top 10',
  'metadata.changed': 'a listing changed',
  'review.negative': 'a low review',
  'action.opened': 'a suggested action',
  'digest.weekly': 'the week',
};

function lineOf(event: EventObject): string {
  const write = lines[event.type] as (data: unknown, event: EventObject) => string;
  return write(event.data, event);
}

const moved = (data: EventData['rank.dropped'], arrow: string): string =>
  `${arrow} ${data.phrase} (${data.country}) ${formatPosition(data.from)} → ${formatPosition(data.to)}`;

const lines: { [T in EventType]: (data: EventData[T]) => string } = {
  'rank.dropped': (data) => moved(data, '▼'),
  'rank.improved': (data) => moved(data, '▲'),
  'serp.entrant': (data) =>
    `● ${data.entrant.name ?? data.entrant.storeAppId} is ${data.position} for ${data.phrase} (${data.country})`,
  'metadata.changed': (data) =>
    `${data.listing.name ?? data.listing.storeAppId} (${data.country}): ${data.changes.map((change) => change.field).join(', ')}`,
  'review.negative': (data) =>
    `${'★'.repeat(data.rating)} (${data.country}) ${[data.title, data.text].filter(Boolean).join(': ')}`,
  'action.opened': (data) => `${data.title}. ${data.reason}`,
  'digest.weekly': (data) =>
    [
      `Week of ${data.from}`,
      ...data.apps
        .slice(0, 5)
        .map(
          (app) =>
            `${app.name}: ${app.top10} of ${app.keywords} in the top 10, ▲ ${app.improved} ▼ ${app.dropped}`,
        ),
    ].join('; '),
};

/** Chats can follow addresses alone, not paths. */
function linkOf(event: EventObject): string | null {
  const { publicUrl, path } = readLink(event.links.app ?? event.links.about);
  return publicUrl === null ? null : `${publicUrl}${path}`;
}

/** The dashboard's address of what the API's address is about. */
function readLink(link: string | undefined): { publicUrl: string | null; path: string } {
  const at = link?.indexOf('/api/backend') ?? -1;
  if (link === undefined || at <= 0) return { publicUrl: null, path: '' };
  const path = link.slice(at + '/api/backend'.length);
  return { publicUrl: link.slice(0, at), path: /^\/(apps|keywords)\/\d+/.exec(path)?.[0] ?? '/' };
}

function cut(text: string): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()];
  return characters.length <= textMax
    ? characters.join('')
    : `${characters.slice(0, textMax - 1).join('')}…`;
}
