import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import { Loaded } from '#web/components/loaded.tsx';
import { formatDecimal } from '#web/format.ts';
import { evaluationQuery } from '#web/queries/formulas.ts';
import styles from './methodology-page.module.css';

/** How well difficulty orders positions in the stored results of the workspace, by store. */
export function Evaluations() {
  const { t } = useTranslation();
  const query = useQuery(evaluationQuery);
  return (
    <Loaded query={query} height={72}>
      {({ items }) => (
        <ul className={styles.distances}>
          {items.map(({ store, formula, markets, apps, correlation }) => (
            <li key={store}>
              {profileOf(store).name}:{' '}
              {correlation === null
                ? t('methodology.evaluation.none')
                : t('methodology.evaluation.value', {
                    value: formatDecimal(correlation.value, 2),
                    low: formatDecimal(correlation.low, 2),
                    high: formatDecimal(correlation.high, 2),
                  })}
              <span className={styles.hint}>
                {t('methodology.evaluation.apps', { count: apps, markets, formula })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
