import type { TFunction } from 'i18next';
import { formatPosition, type PositionAtDepth } from '#lib/format-position.ts';

/** A position with its depth, for use in a sentence. */
export function formatPositionText(cell: PositionAtDepth | null | undefined, t: TFunction): string {
  if (!cell) return t('position.notChecked');
  if (cell.position !== null) return t('position.at', { position: cell.position });
  return cell.resultCount === undefined
    ? t('position.notFound', { depth: cell.depth })
    : t('position.notAmong', { count: cell.resultCount });
}

/** `7`, `>200`, or `not in 37` where the store had only 37 results. */
export const formatShortPosition = (
  cell: PositionAtDepth | null | undefined,
  t: TFunction,
): string =>
  cell?.resultCount === undefined
    ? formatPosition(cell)
    : t('position.notIn', { count: cell.resultCount });
