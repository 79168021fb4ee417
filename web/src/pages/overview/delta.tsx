import { useTranslation } from 'react-i18next';
import { formatDay, formatDecimal } from '#web/format.ts';
import styles from './tiles.module.css';

export interface Change {
  change: number;
  /** The day of comparison. */
  since: string;
  digits?: number;
  /** The number of compared keywords, where it is smaller than the number counted. */
  among?: string;
}

/** The change of a number as sign, number and text. Up is better. */
export function Delta({ change, since, digits = 0 }: Change) {
  const { t } = useTranslation();
  const rounded = Number(change.toFixed(digits));
  const kind = rounded > 0 ? 'up' : rounded < 0 ? 'down' : 'same';
  const shown = formatDecimal(Math.abs(rounded), digits);
  return (
    <span className={styles.delta} data-kind={kind}>
      <span aria-hidden>{kind === 'up' ? `▲ ${shown}` : kind === 'down' ? `▼ ${shown}` : '='}</span>
      <span className="sr-only">
        {t(`overview.delta.${kind}`, { by: shown, day: formatDay(since) })}
      </span>
    </span>
  );
}

/** The base of the change. */
export function DeltaBase({ since, among }: Change) {
  const { t } = useTranslation();
  const day = formatDay(since);
  return (
    <span className={styles.base}>
      {among ? t('overview.sinceAmong', { day, among }) : t('overview.since', { day })}
    </span>
  );
}
