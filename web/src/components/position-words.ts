import type { TFunction } from 'i18next';
import type { ShownCell } from '../../../src/lib/format-position.ts';

/** A place as a sentence says it, with the depth that was looked at. */
export function describePlace(cell: ShownCell | null | undefined, t: TFunction): string {
  if (!cell) return t('position.notChecked');
  return cell.position === null
    ? t('position.notFound', { depth: cell.depth })
    : t('position.at', { position: cell.position });
}
