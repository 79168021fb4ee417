import { useTranslation } from 'react-i18next';
import type { ResultsMove } from '../../queries/results.ts';
import styles from './results-page.module.css';

/** From where to where: a sign, a number, and words. */
export function Places({ move: { from, to } }: { move: ResultsMove }) {
  const { t } = useTranslation();
  if (from === null && to === null) return null;
  const kind = from === null ? 'entered' : to === null ? 'left' : to < from ? 'gained' : 'lost';
  const count = from === null || to === null ? 0 : Math.abs(from - to);
  const sign = { entered: '↗', left: '↘', gained: '▲', lost: '▼' }[kind];
  const words =
    kind === 'entered'
      ? t('results.entered')
      : kind === 'left'
        ? t('results.left')
        : t(`move.${kind}`, { count });
  return (
    <span className={styles.sign} data-kind={kind} title={words}>
      <span aria-hidden>
        {sign}
        {count > 0 && ` ${count}`}
      </span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
