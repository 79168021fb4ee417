import { useTranslation } from 'react-i18next';
import type { SerpMove } from '#web/queries/serp.ts';
import styles from './serp-page.module.css';

/** The change of position as sign, number and text. */
export function Positions({ move: { from, to } }: { move: SerpMove }) {
  const { t } = useTranslation();
  if (from === null && to === null) return null;
  const kind = from === null ? 'entered' : to === null ? 'left' : to < from ? 'gained' : 'lost';
  const count = from === null || to === null ? 0 : Math.abs(from - to);
  const sign = { entered: '↗', left: '↘', gained: '▲', lost: '▼' }[kind];
  const words =
    kind === 'entered'
      ? t('serp.entered')
      : kind === 'left'
        ? t('serp.left')
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
