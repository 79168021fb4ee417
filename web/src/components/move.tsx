import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { RankChange } from '../api.ts';
import { formatDay } from '../format.ts';
import { formatShortPosition } from './format-position-text.ts';
import styles from './move.module.css';

const signs = { gained: '▲', lost: '▼', same: '=', entered: '↗', left: '↘', unknown: '' } as const;

export function Move({ change }: { change: RankChange }) {
  return drawMove(change, useTranslation().t);
}

/**
 * A rank change as sign, number and text for screen readers, never by colour alone. A plain
 * function, for tables with thousands of rows.
 */
export function drawMove(change: RankChange, t: TFunction) {
  const { kind, positionsGained, from } = change;
  const count = Math.abs(positionsGained ?? 0);
  const words = t(`move.${kind}`, { count });
  const before = from
    ? t('move.before', { position: formatShortPosition(from, t), day: formatDay(from.date) })
    : '';
  const shown =
    kind === 'gained' || kind === 'lost'
      ? count
      : kind === 'entered'
        ? t('move.in')
        : kind === 'left'
          ? t('move.out')
          : '';
  return (
    <span
      className={styles.move}
      data-kind={kind}
      title={[words, before].filter(Boolean).join(' · ')}
    >
      <span aria-hidden>
        <span className={styles.sign}>{kind === 'unknown' ? '–' : signs[kind]}</span>
        {shown}
      </span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
