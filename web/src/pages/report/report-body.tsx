import { CalendarX2 } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '#web/components/chart/chart-card.tsx';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { markProviders } from '#web/components/provider-marks.ts';
import { formatCount, formatDay, formatDecimal, formatShare } from '#web/format.ts';
import type { ReportComparison, ReportContent } from '#web/queries/reports.ts';
import { buildVisibilityChart } from '../overview/visibility-chart.ts';
import { KeywordTable } from './keyword-table.tsx';
import { ReportTiles } from './report-tiles.tsx';

const heightPx = 280;

/** The figures, the visibility by day and the positions of the keywords. */
export function ReportBody({ report }: { report: ReportContent }) {
  const { t } = useTranslation();
  const { comparison } = report;
  if (comparison === null)
    return (
      <Card title={t('report.keywords')}>
        <EmptyState icon={CalendarX2} title={t('report.emptyTitle')} text={t('report.emptyText')} />
      </Card>
    );
  const { keywords, total, from, to } = comparison;
  return (
    <div className="stack">
      <ReportTiles report={report} comparison={comparison} />
      <VisibilityCard report={report} comparison={comparison} />
      <Card
        title={t('report.keywords')}
        lead={
          keywords.length < total
            ? t('report.firstKeywords', {
                shown: formatCount(keywords.length),
                total: formatCount(total),
              })
            : t('report.keywordsLead', { from: formatDay(from, true), to: formatDay(to, true) })
        }
      >
        <KeywordTable comparison={comparison} />
      </Card>
    </div>
  );
}

function VisibilityCard({
  report,
  comparison: { from, to },
}: {
  report: ReportContent;
  comparison: ReportComparison;
}) {
  const { t } = useTranslation();
  const { visibility, segments, app } = report;
  const days = useMemo(() => {
    const first = visibility.findIndex(({ followed }) => followed > 0);
    return first < 0 ? [] : visibility.slice(first);
  }, [visibility]);
  const spec = useMemo(
    () =>
      buildVisibilityChart(
        { days, marks: markProviders(segments), store: app.store, counted: 'same' },
        t,
      ),
    [days, segments, app.store, t],
  );
  const known = days.filter(({ index }) => index !== null);
  if (known.length === 0)
    return (
      <Card title={t('overview.visibility')}>
        <EmptyState
          icon={CalendarX2}
          title={t('report.noVisibilityTitle')}
          text={t('report.noVisibilityText', { day: formatDay(from, true) })}
        />
      </Card>
    );
  return (
    <ChartCard
      title={t('overview.visibility')}
      lead={t('report.visibilityLead')}
      height={heightPx}
      spec={spec}
      label={t('report.visibilityLabel', {
        from: formatDay(known[0]!.date),
        to: formatDay(known.at(-1)!.date),
        first: formatDecimal(known[0]!.index!),
        last: formatDecimal(known.at(-1)!.index!),
      })}
      fileName={`visibility-${from}-${to}`}
      table={{
        head: [
          t('report.day'),
          t('overview.visibility'),
          t('report.coverage'),
          t('report.checked'),
          t('report.found'),
        ],
        rows: days
          .toReversed()
          .map(({ date, index, coverage, checked, ranked }) => [
            date,
            index,
            coverage,
            checked,
            ranked,
          ]),
        formats: { 2: (value) => formatShare(Number(value)) },
      }}
    />
  );
}
