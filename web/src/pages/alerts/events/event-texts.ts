import type { TFunction } from 'i18next';

const textMax = 180;
const fieldNames = [
  'name',
  'subtitle',
  'summary',
  'description',
  'iconUrl',
  'screenshotUrls',
  'category',
  'price',
  'version',
  'releaseNotes',
] as const;

export function formatFieldName(field: string, t: TFunction): string {
  const known = fieldNames.find((name) => name === field);
  return known ? t(`alerts.field.${known}`) : field;
}

/** Null unless the change is a change of text. */
export function formatFieldChange(
  change: { before: unknown; after: unknown } | undefined,
): string | null {
  if (typeof change?.after !== 'string' || change.after.startsWith('http')) return null;
  const before = typeof change.before === 'string' ? change.before : '–';
  return shortenText(`${before} → ${change.after}`);
}

export function shortenText(text: string): string | null {
  const characters = [...text];
  if (characters.length === 0) return null;
  return characters.length <= textMax ? text : `${characters.slice(0, textMax - 1).join('')}…`;
}
