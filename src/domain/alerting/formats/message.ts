import { keywordAlertTypes } from '#contract/choices.ts';
import type { EventObject } from '#contract/events.ts';
import { eventDefinitions } from '#contract/events/event-definitions.ts';
import { formatPosition } from '#lib/format-position.ts';

/** A chat message: a headline, and a line per event. */
export interface Message {
  title: string;
  lines: { text: string; link: string | null }[];
  /** Events beyond the shown lines. */
  more: number;
}

const linesMax = 20;
const textMax = 300;

/** Event types of which one run emits many. Chats get them in batches. */
export function isKeywordEvent(type: string): boolean {
  return (keywordAlertTypes as readonly string[]).includes(type);
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

function titleOf(events: readonly EventObject[]): string {
  const [first] = events;
  const test = first?.test ? 'Test: ' : '';
  const apps = new Set(events.map((event) => event.app?.name ?? 'Toprung'));
  const who = apps.size === 1 ? [...apps][0]! : `${apps.size} apps`;
  const what =
    events.length === 1
      ? eventDefinitions[first!.type].message.title
      : `${events.length} keyword events`;
  return `${test}${who}: ${what}`;
}

function lineOf({ type, data }: EventObject): string {
  const { message } = eventDefinitions[type];
  return message.line(data as never, formatPosition);
}

/** Chats need absolute addresses. */
function linkOf(event: EventObject): string | null {
  const { publicUrl, path } = readLink(event.links.app ?? event.links.about);
  return publicUrl === null ? null : `${publicUrl}${path}`;
}

/** The dashboard's address for an address of the API. */
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
