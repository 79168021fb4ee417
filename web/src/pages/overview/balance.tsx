import { useTranslation } from 'react-i18next';
import type { ResponseOf } from '#web/api.ts';
import styles from './overview-page.module.css';

const windows = [
  ['days1', 'column.change1d'],
  ['days7', 'column.change7d'],
  ['days30', 'column.change30d'],
] as const;

/** Gains and losses over 1, 7 and 30 days, of comparable keywords. */
export function Balance({ overview }: { overview: ResponseOf<'GET /apps/{id}/overview'> }) {
  const { t } = useTranslation();
  return (
    <div className={styles.balance} data-print="column">
      {windows.map(([key, label]) => {
        const move = overview.movers[key];
        const up = move.gained + move.entered;
        const down = move.lost + move.left;
        const all = Math.max(1, up + down + move.unchanged);
        return (
          <section key={key} aria-label={t(label)}>
            <h2>
              {t(label)}{' '}
              <span className={styles.compared}>
                {t('overview.compared', { count: move.comparable })}
              </span>
            </h2>
            <div className={styles.bar} aria-hidden>
              <span className={styles.up} style={{ flexGrow: up / all }} />
              <span className={styles.same} style={{ flexGrow: move.unchanged / all }} />
              <span className={styles.down} style={{ flexGrow: down / all }} />
            </div>
            <p className={styles.legend}>
              <span className={styles.upText}>▲ {t('overview.up', { count: up })}</span>
              <span>= {t('overview.same', { count: move.unchanged })}</span>
              <span className={styles.downText}>▼ {t('overview.down', { count: down })}</span>
            </p>
          </section>
        );
      })}
    </div>
  );
}
