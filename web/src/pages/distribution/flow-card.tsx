import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { ChartCard } from '#web/components/chart/chart-card.tsx';
import { formatCount } from '#web/format.ts';
import type { DistributionDay } from '#web/queries/rankings.ts';
import { checkedOf } from './bands.ts';
import { buildFlowChart } from './flow-chart.ts';

export function FlowCard({ days }: { days: DistributionDay[] }) {
  const { t } = useTranslation();
  const spec = useMemo(() => buildFlowChart(days, t), [days, t]);
  const sum = (key: 'entered' | 'left') => days.reduce((total, day) => total + day[key], 0);
  const totals = t('distribution.flowTotals', {
    entered: formatCount(sum('entered')),
    left: formatCount(sum('left')),
  });
  if (sum('entered') + sum('left') === 0) {
    return (
      <Card title={t('distribution.flow')} lead={t('distribution.flowLead')}>
        <p className="muted">{t('distribution.flowNone')}</p>
      </Card>
    );
  }
  return (
    <ChartCard
      title={t('distribution.flow')}
      lead={
        <>
          {t('distribution.flowLead')} <span className="num">{totals}</span>
        </>
      }
      height={220}
      spec={spec}
      label={`${t('distribution.flow')}. ${totals}`}
      fileName={`entered-left-${days[0]!.date}-${days.at(-1)!.date}`}
      table={{
        head: [
          t('history.day'),
          t('distribution.entered'),
          t('distribution.left'),
          t('distribution.checked'),
        ],
        rows: days.toReversed().map((day) => {
          const checked = checkedOf(day);
          return [
            day.date,
            checked === 0 ? null : day.entered,
            checked === 0 ? null : day.left,
            checked,
          ];
        }),
      }}
    />
  );
}
