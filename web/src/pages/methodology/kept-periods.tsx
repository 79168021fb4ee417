import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Loaded } from '#web/components/loaded.tsx';
import { retentionQuery } from '#web/queries/retention.ts';
import styles from './methodology-page.module.css';

const kinds = ['serp', 'event', 'delivery', 'job', 'scoreProvenance', 'popularity'] as const;

/** For how long this instance keeps what is deleted at some time. */
export function KeptPeriods() {
  const { t } = useTranslation();
  const query = useQuery(retentionQuery);
  return (
    <Loaded query={query} height={[270, 269]}>
      {(periods) => (
        <ul className={styles.distances}>
          {kinds.map((kind) => {
            const days = periods[`${kind}Days`];
            return (
              <li key={kind}>
                {t(`methodology.kept.${kind}`)}
                <span className={styles.hint}>
                  {days === null
                    ? t('methodology.kept.forever')
                    : t('methodology.kept.days', { count: days })}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Loaded>
  );
}
