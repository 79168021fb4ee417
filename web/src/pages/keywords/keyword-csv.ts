import type { TFunction } from 'i18next';
import { writeCsv, type CsvValue } from '#lib/csv-writer.ts';
import { utcDayOf } from '#lib/dates.ts';
import type { App, Keyword, RankChange, Store } from '#web/api.ts';
import { formatShortPosition } from '#web/components/format-position-text.ts';
import { formatProvider } from '#web/components/format-provider.ts';
import { nameOtherDevice } from '#stores/profiles.ts';
import { columnIds, optionalColumns, type ColumnId } from './keyword-columns.tsx';

type Column = [head: string, read: (keyword: Keyword) => CsvValue];

/**
 * The selected columns, even on a phone, and the device if one is not the first of its store. A
 * position is exported as shown (`>200`) and also as number and depth, so that no spreadsheet takes
 * "not found within 200" for a position, and with its provider, because those of two providers are
 * not comparable. The trend is an image and is left out.
 */
export function writeKeywordsCsv(
  keywords: readonly Keyword[],
  chosen: readonly ColumnId[],
  t: TFunction,
  store?: Store,
): string {
  const hasOtherDevices = keywords.some(({ device }) => nameOtherDevice(device) !== null);
  const isSelectedColumn = (id: ColumnId) =>
    !optionalColumns.some((optional) => optional === id) ||
    (id === 'device' && hasOtherDevices) ||
    chosen.includes(id);
  const columns = columnIds.filter(isSelectedColumn).flatMap((id) => columnsOf(id, t, store));
  return writeCsv([
    columns.map(([head]) => head),
    ...keywords.map((keyword) => columns.map(([, read]) => read(keyword))),
  ]);
}

function columnsOf(id: ColumnId, t: TFunction, store: Store | undefined): Column[] {
  const head = t(`column.${id}.long`);
  switch (id) {
    case 'phrase':
      return [
        [head, ({ phrase }) => phrase],
        // The separator that an import reads.
        [t('add.tags'), ({ tags }) => tags.join('; ')],
      ];
    case 'country':
    case 'device':
      return [[head, (keyword) => keyword[id]]];
    case 'position':
      return [
        [head, ({ latest }) => latest && formatShortPosition(latest, t)],
        [t('keywords.csvPosition'), ({ latest }) => latest?.position],
        [t('history.depth'), ({ latest }) => latest?.depth],
        [
          t('history.provider'),
          ({ latest }) => latest?.provider && formatProvider(store, latest.provider, t),
        ],
      ];
    case 'best':
      return [[head, ({ best }) => best?.position]];
    case 'traffic':
    case 'difficulty':
      return [
        [head, (keyword) => keyword[id]],
        [`${head} ≥`, (keyword) => keyword[`${id}Range`]?.low],
        [`${head} ≤`, (keyword) => keyword[`${id}Range`]?.high],
      ];
    case 'opportunity':
      return [[head, (keyword) => keyword[id]]];
    case 'published':
      return [
        [head, ({ published }) => published?.popularity],
        [t('keywords.csvAtMost'), ({ published }) => published?.atMost],
      ];
    case 'trend':
      return [];
    case 'checked':
      return [[head, ({ latest }) => latest?.checkedAt]];
    default:
      return [[head, (keyword) => formatMove(keyword[id], t)]];
  }
}

/** Positions gained, or lost if below 0; a word if there is no number. */
function formatMove({ kind, positionsGained }: RankChange, t: TFunction): CsvValue {
  if (kind === 'unknown') return null;
  return kind === 'entered' || kind === 'left' ? t(`move.${kind}`) : (positionsGained ?? 0);
}

/** `focus-keywords-2026-11-27`, or `focus-keywords-selected-…` for a part. */
export function nameKeywordsFile(app: App | undefined, part?: 'selected'): string {
  const name = (app?.displayName ?? app?.name ?? '').toLowerCase();
  const words = name.match(/[\p{L}\p{N}]+/gu)?.slice(0, 5) ?? [];
  return [...words, 'keywords', part ?? [], utcDayOf(new Date())].flat().join('-');
}
