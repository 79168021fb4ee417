import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import { Card } from '#web/components/card.tsx';
import { formatDay } from '#web/format.ts';
import type { Backtest } from '#web/queries/alerts.ts';
import { appsQuery } from '#web/queries/apps.ts';
import { EventRow } from '../events/event-row.tsx';
import events from '../events/events.module.css';
import styles from './rules.module.css';

const step = 20;

export function BacktestList({ backtest }: { backtest: Backtest }) {
  const { t } = useTranslation();
  const { data } = useQuery(appsQuery);
  const [shown, setShown] = useState(step);
  const [isOpen, setOpen] = useState(() => matchMedia('(min-width: 75em)').matches);
  const alerts = backtest.alerts.slice(0, shown);
  const left = backtest.total - alerts.length;
  return (
    <Card
      title={t('backtest.which')}
      lead={backtest.total === 0 ? t('backtest.noneText') : t('backtest.newest')}
      action={
        <Button
          size="xs"
          variant="default"
          className="touch"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('backtest.hide') : t('backtest.show')}
        </Button>
      }
    >
      <div
        className={styles.listBox}
        hidden={!isOpen}
        role="region"
        aria-label={t('backtest.list')}
        tabIndex={0}
      >
        <ul className={events.rows}>
          {alerts.map((alert, index) => {
            const app = data?.items.find(({ id }) => id === alert.appId);
            return (
              <EventRow
                key={index}
                type={alert.type}
                data={alert.data}
                appId={alert.appId}
                appName={app && `${app.displayName ?? app.name} · ${profileOf(app.store).name}`}
                at={{ instant: alert.date, shown: formatDay(alert.date, true) }}
              />
            );
          })}
        </ul>
        {shown < backtest.alerts.length && (
          <Button
            variant="subtle"
            fullWidth
            className="touch"
            onClick={() => setShown((before) => before + step)}
          >
            {t('backtest.more', { count: left })}
          </Button>
        )}
        {backtest.moreAlerts > 0 && shown >= backtest.alerts.length && (
          <p className="muted">{t('backtest.older', { count: backtest.moreAlerts })}</p>
        )}
      </div>
    </Card>
  );
}
