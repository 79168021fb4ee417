import type { TFunction } from 'i18next';
import type { PositionAtDepth } from '#lib/format-position.ts';

/** A position with its depth, for use in a sentence. */
export function formatPositionText(cell: PositionAtDepth | null | undefined, t: TFunction): string {
  if (!cell) return t('position.notChecked');
  return cell.position === null
    ? t('position.notFound', { depth: cell.depth })
    : t('position.at', { position: cell.position });
}
