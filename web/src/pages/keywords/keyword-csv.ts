import type { TFunction } from 'i18next';
import { formatPosition } from '../../../../src/lib/format-position.ts';
import type { Keyword, RankChange } from '../../api.ts';
import { writeCsv, type CsvValue } from '../../save-file.ts';
import { columnIds, optionalColumns, type ColumnId } from './keyword-columns.tsx';

type Column = [head: string, read: (keyword: Keyword) => CsvValue];

/**
 * The chosen columns, whatever a phone has room for. A position stands as it is shown (`>200`) and apart from that as number
 * and depth, so that no sheet takes "not found within 200" for a place. The trend is a picture, and no column.
 */
export function writeKeywordsCsv(
  keywords: readonly Keyword[],
  chosen: readonly ColumnId[],
  t: TFunction,
): string {
  const isWanted = (id: ColumnId) =>
    !optionalColumns.some((optional) => optional === id) || chosen.includes(id);
  const columns = columnIds.filter(isWanted).flatMap((id) => columnsOf(id, t));
  return writeCsv([
    columns.map(([head]) => head),
    ...keywords.map((keyword) => columns.map(([, read]) => read(keyword))),
  ]);
}

function columnsOf(id: ColumnId, t: TFunction): Column[] {
  const head = t(`column.${id}.long`);
  switch (id) {
    case 'phrase':
      return [
        [head, ({ phrase }) => phrase],
        [t('add.tags'), ({ tags }) => tags.join(', ')],
      ];
    case 'country':
      return [[head, ({ country }) => country]];
    case 'position':
      return [
        [head, ({ latest }) => latest && formatPosition(latest)],
        [t('keywords.csvPlace'), ({ latest }) => latest?.position],
        [t('history.depth'), ({ latest }) => latest?.depth],
      ];
    case 'best':
      return [[head, ({ best }) => best?.position]];
    case 'traffic':
    case 'difficulty':
    case 'opportunity':
      return [[head, (keyword) => keyword[id]]];
    case 'trend':
      return [];
    case 'checked':
      return [[head, ({ latest }) => latest?.checkedAt]];
    default:
      return [[head, (keyword) => tellMove(keyword[id], t)]];
  }
}

/** Places won (below 0: lost); in words where there are none to count. */
function tellMove({ kind, places }: RankChange, t: TFunction): CsvValue {
  if (kind === 'unknown') return null;
  return kind === 'entered' || kind === 'left' ? t(`move.${kind}`) : (places ?? 0);
}
