import type { ChangedField } from '#contract/changes.ts';
import type { FieldVersion } from '#db/queries/keyword-field/keyword-field.ts';
import type { ChangeRow } from '#db/queries/changes/changes.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import { listMissingWords, wordFinder } from '#lib/phrase-words.ts';
import { profileOf, type StoreName } from '#domain/base/ports.ts';

/** A text of a listing, or a keyword field, before and after a change. */
export interface TextChange {
  listingId: number;
  /** Null for a keyword field, which holds for every country. */
  country: string | null;
  detectedOn: UtcDay;
  /** Null for a keyword field. */
  change: { id: number; field: ChangedField } | null;
  /** The words of a phrase that only the new text has. */
  gained: (phrase: string) => string[];
  /** The words of a phrase that only the old text had. */
  lost: (phrase: string) => string[];
}

/** The changed fields whose words the store matches with searches. */
export function listSearchedFields(store: StoreName): ChangedField[] {
  const { texts } = profileOf(store);
  return (['title', 'subtitle', 'summary', 'description'] as const)
    .filter((text) => texts[text]?.isSearched)
    .map((text) => (text === 'title' ? 'name' : text));
}

export function toTextChange(row: ChangeRow): TextChange {
  return {
    listingId: row.listingId,
    country: row.country,
    detectedOn: utcDayOf(row.detectedAt),
    change: { id: row.id, field: row.field as ChangedField },
    ...compareTexts(readText(row.before), readText(row.after)),
  };
}

export function toFieldChange(
  listingId: number,
  { normalized, previous, savedAt }: FieldVersion & { previous: string },
): TextChange {
  return {
    listingId,
    country: null,
    detectedOn: utcDayOf(savedAt),
    change: null,
    ...compareTexts(previous, normalized),
  };
}

function compareTexts(before: string, after: string): Pick<TextChange, 'gained' | 'lost'> {
  const [heldBefore, heldAfter] = [wordFinder(before), wordFinder(after)];
  const missing = (phrase: string, holds: (word: string) => boolean) =>
    listMissingWords(phrase, holds);
  return {
    gained: (phrase) => missing(phrase, heldBefore).filter(heldAfter),
    lost: (phrase) => missing(phrase, heldAfter).filter(heldBefore),
  };
}

const readText = (value: unknown): string => (typeof value === 'string' ? value : '');
