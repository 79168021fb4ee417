import { keywordAlertTypes } from '#contract/choices.ts';
import type { EventObject } from '#contract/events.ts';
import { eventDefinitions } from '#contract/events/event-definitions.ts';
import { nameWithStore } from '#contract/events/event-shapes.ts';
import { formatPosition } from '#lib/format-position.ts';

/** A chat message: a headline, and a line per event, or per app of a digest. */
export interface Message {
  title: string;
  lines: { text: string; link: string | null }[];
  /** Events or apps beyond the shown lines. */
  more: number;
  /** The page of all lines. */
  link: string | null;
}

const linesMax = 20;
const textMax = 300;

/** Event types of which one run emits many. Chats get them in batches. */
export function isKeywordEvent(type: string): boolean {
  return (keywordAlertTypes as readonly string[]).includes(type);
}

/** One message for one event, or for the keyword events of a run. */
export function composeMessage(events: readonly EventObject[]): Message {
  const apps = new Map(events.map(({ app }) => [app?.id, nameOf(app)]));
  const shown = events.slice(0, linesMax);
  const parts = shown.map((event) => writeLines(event, apps.size > 1));
  const lines = parts.flatMap((part) => part.lines);
  const leftOut = parts.reduce((sum, { more }) => sum + more, 0);
  return {
    title: cut(titleOf(events, [...apps.values()])),
    lines: lines.slice(0, linesMax),
    more: events.length - shown.length + Math.max(0, lines.length - linesMax) + leftOut,
    link: linkOfAll(events),
  };
}

/** The first lines that fit, and the number of the others. */
export function fitLines(
  lines: readonly string[],
  more: number,
  space: number,
  measure: (text: string) => number = (text) => text.length,
): string[] {
  const fitting: string[] = [];
  let used = 0;
  for (const line of lines) {
    used += measure(line) + 1;
    if (used > space) break;
    fitting.push(line);
  }
  const left = more + lines.length - fitting.length;
  return left > 0 ? [...fitting, `and ${left} more`] : fitting;
}

const nameOf = (app: EventObject['app']): string => (app === null ? 'Toprung' : nameWithStore(app));

function titleOf(events: readonly EventObject[], apps: readonly string[]): string {
  const [first] = events;
  const test = first?.test ? 'Test: ' : '';
  const who = apps.length === 1 ? apps[0]! : `${apps.length} apps`;
  const what =
    events.length === 1
      ? eventDefinitions[first!.type].message.title
      : `${events.length} keyword events`;
  return `${test}${who}: ${what}`;
}

function writeLines(event: EventObject, namesApp: boolean): Pick<Message, 'lines' | 'more'> {
  const { type, data, app } = event;
  const { message } = eventDefinitions[type];
  const line = message.line(data as never, formatPosition);
  const { lines, more } = message.list?.(data as never) ?? { lines: [], more: 0 };
  const texts = [namesApp ? `${nameOf(app)}: ${line}` : line, ...lines];
  const link = linkOf(event);
  return { lines: texts.map((text) => ({ text: cut(text), link })), more };
}

/** The page that all events link to, or the one that lists them. */
function linkOfAll(events: readonly EventObject[]): string | null {
  const links = new Set(events.map(linkOf));
  if (links.size === 1) return [...links][0]!;
  const { publicUrl } = readLink(events[0]!);
  return publicUrl === null ? null : `${publicUrl}/alerts`;
}

/** Chats need absolute addresses. */
function linkOf(event: EventObject): string | null {
  const { publicUrl, path } = readLink(event);
  return publicUrl === null ? null : `${publicUrl}${path}`;
}

/** The dashboard's address for an address of the API. */
function readLink({ links }: EventObject): { publicUrl: string | null; path: string } {
  const link = links.app ?? links.about;
  const at = link?.indexOf('/api/backend') ?? -1;
  if (link === undefined || at <= 0) return { publicUrl: null, path: '' };
  const path = link.slice(at + '/api/backend'.length);
  return { publicUrl: link.slice(0, at), path: pageOf(path) };
}

function pageOf(path: string): string {
  const digest = /^\/digests\/weekly(\?week=[\d-]{10})?/.exec(path);
  if (digest) return `/digest${digest[1] ?? ''}`;
  return /^\/(apps|keywords)\/\d+/.exec(path)?.[0] ?? '/';
}

function cut(text: string): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()];
  return characters.length <= textMax
    ? characters.join('')
    : `${characters.slice(0, textMax - 1).join('')}…`;
}
