import type { EventObject } from '#contract/events.ts';
import { composeMessage } from '../formats/message.ts';

export interface FeedApp {
  id: number;
  name: string;
  createdAt: Date;
}

/** An Atom 1.0 document of events in the given order. Ids are stable. */
export function writeFeed(
  app: FeedApp,
  events: readonly EventObject[],
  publicUrl: string | null,
): string {
  const updated = events[0]?.timestamp ?? app.createdAt.toISOString();
  const links =
    publicUrl === null
      ? []
      : [
          link('self', `${publicUrl}/api/backend/apps/${app.id}/feed`),
          link('alternate', `${publicUrl}/apps/${app.id}`),
        ];
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', `tag:toprung,2026:app/${app.id}/${app.createdAt.getTime()}`),
    element('title', `${app.name} – Toprung`),
    element('updated', updated),
    `<author>${element('name', 'Toprung')}</author>`,
    ...links,
    ...events.map((event) => writeEntry(event)),
    '</feed>',
    '',
  ].join('\n');
}

function writeEntry(event: EventObject): string {
  const message = composeMessage([event]);
  const [line] = message.lines;
  return [
    '<entry>',
    element('id', `tag:toprung,2026:event/${event.id}`),
    element('title', line?.text || message.title),
    element('updated', event.timestamp),
    element('published', event.timestamp),
    `<category term="${escapeXml(event.type)}"/>`,
    ...(line?.link ? [link('alternate', line.link)] : []),
    '<content ' +
      `type="text">${escapeXml([message.title, line?.text].filter(Boolean).join('\n'))}</content>`,
    '</entry>',
  ].join('\n');
}

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;
const link = (rel: string, href: string): string =>
  `<link rel="${rel}" href="${escapeXml(href)}"/>`;

const named: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text that XML 1.0 allows; characters that it forbids even as references are removed. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => named[character]!);
}
