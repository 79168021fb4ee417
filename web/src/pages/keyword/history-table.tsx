import { useTranslation } from 'react-i18next';
import type { History } from '#web/api.ts';
import { PositionText } from '#web/components/position-text.tsx';
import { formatDay, formatInstant } from '#web/format.ts';
import { positionText } from './history-text.ts';
import type { CompetitorHistory } from './use-competitor-histories.ts';

/** The chart as a table, newest day first, for people who cannot use the chart. */
export function HistoryTable({
  history,
  competitors,
}: {
  history: History;
  competitors: readonly CompetitorHistory[];
}) {
  const { t } = useTranslation();
  const marks = Map.groupBy(history.annotations, (annotation) => annotation.date);
  return (
    <div
      className="table-scroll tall"
      role="region"
      aria-label={t('table.region', { label: t('history.title') })}
      tabIndex={0}
    >
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('history.day')}</th>
            <th className="end">{t('column.position')}</th>
            <th className="end">{t('history.depth')}</th>
            {competitors.map(({ id, name }) => (
              <th key={id} className="end">
                {name}
              </th>
            ))}
            <th>{t('history.note')}</th>
          </tr>
        </thead>
        <tbody>
          {history.items.toReversed().map((cell) => (
            <tr key={cell.date}>
              <td className="num">{formatDay(cell.date, true)}</td>
              <td className="end">
                <PositionText cell={cell.state === 'not_checked' ? null : cell} />
              </td>
              <td className="end num muted">{cell.state === 'not_checked' ? '' : cell.depth}</td>
              {competitors.map((competitor) => (
                <td key={competitor.id} className="end num">
                  {positionText(competitor, cell.date)}
                </td>
              ))}
              <td className="muted">
                {[
                  cell.state === 'not_checked'
                    ? `${t('history.gap')}: ${t(`gap.${cell.reason}`)}`
                    : formatInstant(cell.checkedAt),
                  ...(marks.get(cell.date) ?? []).map(
                    (mark) => `${t(`marker.${mark.kind}`)}: ${mark.text}`,
                  ),
                ].join(' · ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
