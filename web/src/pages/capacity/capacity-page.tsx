import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { budgetQuery } from '#web/queries/runs.ts';
import styles from './capacity-page.module.css';
import { DayCard } from './day-card.tsx';
import { FanOutCard } from './fan-out-card.tsx';
import { RunsCard } from './runs-card.tsx';
import { ShedCard } from './shed-card.tsx';
import { StoresCard } from './stores-card.tsx';
import { SimulationCard } from './simulation-card.tsx';

export function CapacityPage() {
  const { t } = useTranslation();
  const { data: budget, error, refetch } = useQuery({ ...budgetQuery, refetchInterval: 60_000 });
  return (
    <>
      <PageHead title={t('nav.capacity')} lead={t('capacity.lead')} />
      <div className="stack">
        {error && !budget && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {!budget && !error && (
          <>
            <Skeleton height={180} radius={14} />
            <Skeleton height={260} radius={14} />
          </>
        )}
        {budget && (
          <>
            <div className={styles.pair}>
              <DayCard budget={budget} />
              <SimulationCard />
            </div>
            <FanOutCard budget={budget} />
            <StoresCard budget={budget} />
            <ShedCard />
          </>
        )}
        <RunsCard />
      </div>
    </>
  );
}
