import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, CircleHelp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { Run } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCount, formatDay, formatInstant, formatShare } from '#web/format.ts';
import { runsQuery } from '#web/queries/runs.ts';
import { gapReasons } from '../runs/load-kinds.ts';
import styles from './overview-page.module.css';

const icons = { ok: CircleCheck, degraded: CircleAlert, unknown: CircleHelp } as const;

export function HealthCard() {
  const { t } = useTranslation();
  const query = useQuery(runsQuery(1));
  return (
    <Card
      title={t('health.title')}
      action={
        <Link to="/runs" className={styles.more}>
          {t('health.all')}
        </Link>
      }
    >
      <Loaded query={query} height={220}>
        {({ items: [run] }) =>
          run ? <Health run={run} /> : <p className="muted">{t('health.none')}</p>
        }
      </Loaded>
    </Card>
  );
}

function Health({ run }: { run: Run }) {
  const { t } = useTranslation();
  const gaps = gapReasons.filter((reason) => run.gaps[reason] > 0);
  return (
    <dl className={styles.health}>
      <div>
        <dt>{t('health.run', { day: formatDay(run.date) })}</dt>
        <dd data-state={run.state}>{t(`health.state.${run.state}`)}</dd>
      </div>
      <div>
        <dt>{t('health.checked')}</dt>
        <dd className="num">
          {t('health.done', { done: formatCount(run.done), planned: formatCount(run.planned) })}
          {run.coverage !== null && ` · ${formatShare(run.coverage)}`}
        </dd>
      </div>
      <div>
        <dt>{t('health.gaps')}</dt>
        <dd>
          {gaps.length === 0 && t('health.noGaps')}
          {gaps.map((reason) => (
            <span key={reason} className={styles.gap}>
              <span className="num">{formatCount(run.gaps[reason])}</span> {t(`gap.${reason}`)}
            </span>
          ))}
        </dd>
      </div>
      {run.storeHealth.map(({ store, state, probedAt }) => {
        const Icon = icons[state];
        return (
          <div key={store}>
            <dt>{profileOf(store).name}</dt>
            <dd className={styles.store} data-state={state}>
              <Icon size={15} aria-hidden />
              <span>
                {t(`health.store.${state}`)}
                {probedAt && (
                  <span className="muted">
                    {' '}
                    · {t('health.probe', { at: formatInstant(probedAt) })}
                  </span>
                )}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
