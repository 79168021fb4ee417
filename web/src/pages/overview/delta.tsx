import { useTranslation } from 'react-i18next';
import { formatDay, formatDecimal } from '#web/format.ts';
import styles from './tiles.module.css';

interface Props {
  change: number;
  /** The day of comparison. */
  since: string;
  digits?: number;
  /** The number of compared keywords, where it is smaller than the number counted. */
  among?: string;
}

/** The change of a number as sign, number and text. Up is better. */
export function Delta({ change, since, digits = 0, among }: Props) {
  const { t } = useTranslation();
  const rounded = Number(change.toFixed(digits));
  const kind = rounded > 0 ? 'up' : rounded < 0 ? 'down' : 'same';
  const shown = formatDecimal(Math.abs(rounded), digits);
  const against = t('overview.since', { day: formatDay(since) });
  return (
    <span
      className={styles.delta}
      data-kind={kind}
      title={among ? `${against}: ${among}` : against}
    >
      <span aria-hidden>{kind === 'up' ? `▲ ${shown}` : kind === 'down' ? `▼ ${shown}` : '='}</span>
      <span className="sr-only">
        {t(`overview.delta.${kind}`, { by: shown, day: formatDay(since) })}
        {among && ` (${among})`}
      </span>
    </span>
  );
}
