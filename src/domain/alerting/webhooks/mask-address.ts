import { readdressBody } from '../formats/index.ts';
import { kindOf, type WebhookKind } from '#contract/receiver-kinds.ts';

interface Receiver {
  kind: WebhookKind;
  url: string;
}

/** Replaces the part of an address that is not shown. */
export const hiddenPart = '…';

const words = /^(v\d{1,3}|[a-z]{1,20}([-_.][a-z]{1,20}){0,3})$/i;

/**
 * An address as it is shown. The path of a chat's address is its secret, and other services put
 * keys into theirs, so that a path is shown as far as it consists of words.
 */
export function maskAddress({ kind, url }: Receiver): string {
  const { origin, pathname, search, searchParams } = new URL(url);
  const chat = kindOf(new URL(url)) === 'standard' ? kind : kindOf(new URL(url));
  if (chat !== 'standard') {
    const chatId = chat === 'telegram' ? searchParams.get('chat_id') : null;
    const query = chatId === null ? '' : `?chat_id=${encodeURIComponent(chatId)}`;
    return `${origin}/${hiddenPart}${query}`;
  }
  const parts = pathname.split('/').slice(1);
  const secret = parts.findIndex((part) => part !== '' && !words.test(part));
  const shown = secret === -1 ? pathname : `/${[...parts.slice(0, secret), hiddenPart].join('/')}`;
  return origin + shown + (search === '' ? '' : `?${hiddenPart}`);
}

/** True for an address that lacks its secret part. */
export function isMasked(url: string): boolean {
  return new URL(url).href.includes(encodeURIComponent(hiddenPart));
}

/** True for the address of this webhook as it is shown, which changes nothing. */
export function isShownAddressOf(webhook: Receiver, text: string): boolean {
  return new URL(text).href === new URL(maskAddress(webhook)).href;
}

/** A body as it is shown: an ntfy topic can be read and written by everybody who knows it. */
export function maskBody(delivery: Receiver & { body: string }): string {
  const body = readdressBody(delivery);
  return delivery.kind === 'ntfy'
    ? JSON.stringify({ ...JSON.parse(body), topic: hiddenPart })
    : body;
}
