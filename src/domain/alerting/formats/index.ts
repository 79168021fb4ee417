import type { WebhookUrlFault } from '#contract/choices.ts';
import type { EventObject } from '#contract/events.ts';
import { stringifyExact } from '#lib/json.ts';
import type { WebhookKind } from '#contract/receiver-kinds.ts';
import { toDiscord } from './discord.ts';
import { composeMessage } from './message.ts';
import { toNtfy } from './ntfy.ts';
import { toSlack } from './slack.ts';
import { toTelegram } from './telegram.ts';

export { isKeywordEvent } from './message.ts';

interface Receiver {
  kind: WebhookKind;
  url: string;
}

interface MissingPart {
  fault: WebhookUrlFault;
  rule: string;
}

/** The body for a receiver of these events; only chats get several in one message. */
export function writeBody({ kind, url }: Receiver, events: readonly EventObject[]): string {
  const message = () => composeMessage(events);
  switch (kind) {
    case 'standard':
      return stringifyExact(events[0]);
    case 'slack':
      return JSON.stringify(toSlack(message()));
    case 'discord':
      return JSON.stringify(toDiscord(message()));
    case 'telegram':
      return JSON.stringify(toTelegram(message(), chatOf(new URL(url)) ?? ''));
    case 'ntfy':
      return JSON.stringify(toNtfy(message(), topicOf(new URL(url)) ?? ''));
  }
}

/** A body as it is sent: to the chat or topic that the address names now. */
export function readdressBody({ kind, url, body }: Receiver & { body: string }): string {
  if (kind === 'telegram')
    return JSON.stringify({ ...JSON.parse(body), chat_id: chatOf(new URL(url)) });
  if (kind === 'ntfy') return JSON.stringify({ ...JSON.parse(body), topic: topicOf(new URL(url)) });
  return body;
}

/** The request address: ntfy accepts JSON only at its root. */
export function targetOf({ kind, url }: Receiver): string {
  return kind === 'ntfy' ? new URL('/', url).href : url;
}

/** The missing part of an address of this kind; null when it is complete. */
export function findMissingPart({ kind, url }: Receiver): MissingPart | null {
  const address = new URL(url);
  if (kind === 'telegram' && !chatOf(address))
    return { fault: 'no_chat_id', rule: 'a Telegram address with ?chat_id= in it' };
  if (kind === 'ntfy' && !topicOf(address))
    return { fault: 'no_topic', rule: 'an ntfy address with a topic: https://ntfy.sh/topic' };
  return null;
}

const chatOf = (url: URL): string | null => url.searchParams.get('chat_id');

function topicOf(url: URL): string | null {
  const topic = url.pathname.replace(/^\/|\/$/g, '');
  return /^[\w-]{1,64}$/.test(topic) ? topic : null;
}
