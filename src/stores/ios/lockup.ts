import type { AppCard } from '#domain/base/ports.ts';
import { createFieldReader } from '../field-reader.ts';
import { unreadable } from '../store-errors.ts';
import { isRecord, readRating, readText, required } from '../value-readers.ts';
import { fillIconTemplate } from './icon.ts';
import { expectRead, requireOwnAddress } from './results.ts';
import { readShownCount } from './shown-count.ts';
import { isTrackId } from './urls.ts';

/**
 * An app as pages of apps.apple.com list it; `language` is that of the page, null when unknown.
 * Throws StoreError `unreadable` without an id or a title.
 */
export function readLockup(lockup: Record<string, unknown>, language: string | null): AppCard {
  const storeAppId = readId(lockup['adamId']);
  const name = expectRead(readText(lockup['title'], 500), 'title');
  if (storeAppId === null) throw unreadable('ios', 'adam-id', 'an app without an id');
  if (name === null) throw unreadable('ios', 'title', 'an app without a title');
  const { clickAction } = lockup;
  requireOwnAddress(isRecord(clickAction) ? clickAction['pageUrl'] : null, storeAppId);
  const fields = createFieldReader<keyof AppCard>();
  const card = {
    storeAppId,
    bundleId: fields.read('bundleId', required(readText(lockup['bundleId'], 300))),
    name,
    developer: fields.read('developer', readText(lockup['developerName'], 500)),
    iconUrl: fields.read('iconUrl', required(readIcon(lockup['icon']))),
    rating: fields.read('rating', readRating(lockup['rating'])),
    ratingCount: fields.read('ratingCount', readShownCount(lockup['ratingCount'], language)),
  };
  return { ...card, unread: fields.unread };
}

/** An id is a text, or a whole number. */
export function readId(value: unknown): string | null {
  const id = Number.isSafeInteger(value) ? String(value) : value;
  return typeof id === 'string' && isTrackId(id) ? id : null;
}

/** The language of a page, from its intent; null when it does not state one. */
export function readLanguage(intent: unknown): string | null {
  const language = isRecord(intent) ? intent['language'] : null;
  return typeof language === 'string' ? language : null;
}

const readIcon = (icon: unknown): string | null =>
  isRecord(icon) ? fillIconTemplate(icon['template']) : null;
