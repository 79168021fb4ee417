import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { ResponseOf, Store } from '#web/api.ts';
import { formatCount, formatInstant, formatShare, formatSigned } from '#web/format.ts';
import styles from './capacity-page.module.css';
import { Gauge } from './gauge.tsx';

type Simulation = ResponseOf<'POST /jobs/budget/simulate'>;

interface Props {
  before: Simulation;
  after: Simulation;
  asked: { store: Store; each: number; countryCount: number };
  isFetching: boolean;
}

const shareOf = (simulation: Simulation, store: Store) =>
  simulation.fanOut.find((row) => row.store === store)?.utilization ?? 0;

/** The estimated capacity of a store, and when all work would finish. */
export function SimulationResult({ before, after, asked, isFetching }: Props) {
  const { t } = useTranslation();
  const [was, is] = [shareOf(before, asked.store), shareOf(after, asked.store)];
  const added = t('whatIf.added', { keywords: formatCount(asked.each), count: asked.countryCount });
  return (
    <div className={styles.result} aria-live="polite" aria-busy={isFetching}>
      <p>{added}</p>
      <p className="num">
        <strong className={styles.shift}>
          {formatShare(was)} → {formatShare(is)}
        </strong>{' '}
        {t('whatIf.ofDay', { store: profileOf(asked.store).name })}
      </p>
      <Gauge share={was} after={is} label={t('whatIf.title')} />
      <p className="muted num">
        {t('whatIf.delta', {
          searches: formatSigned(after.delta.searchesPerDay),
          requests: formatSigned(Math.round(after.delta.requestsPerDay)),
          at: formatInstant(after.completion.completesAt),
        })}
      </p>
      {is > 1 && <p className={styles.over}>{t('whatIf.over')}</p>}
    </div>
  );
}
