import { useTranslation } from 'react-i18next';
import type { History, Store } from '#web/api.ts';
import { formatShortPosition } from '#web/components/format-position-text.ts';
import { PositionText } from '#web/components/position-text.tsx';
import { formatDay, formatInstant } from '#web/format.ts';
import type { ComparedCells } from './history-chart.ts';
import { createNotes, positionOf } from './history-text.ts';
import type { CompetitorHistory } from './use-competitor-histories.ts';

/** The chart as a table, newest day first, for people who cannot use the chart. */
export function HistoryTable({
  history,
  competitors,
  compared,
  store,
}: {
  history: History;
  store: Store | undefined;
  competitors: readonly CompetitorHistory[];
  compared?: ComparedCells | undefined;
}) {
  const { t } = useTranslation();
  const describe = createNotes(history, store, t);
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
            <th>{t('history.provider')}</th>
            {competitors.map(({ id, name }) => (
              <th key={id} className="end">
                {name}
              </th>
            ))}
            {compared && (
              <>
                <th>{t('periods.day')}</th>
                <th className="end">{t('periods.value', { name: t('column.position') })}</th>
              </>
            )}
            <th>{t('history.note')}</th>
          </tr>
        </thead>
        <tbody>
          {history.items.toReversed().map((cell) => {
            const { provider, notes } = describe(cell);
            const before = compared?.get(cell.date);
            return (
              <tr key={cell.date}>
                <td className="num">{formatDay(cell.date, true)}</td>
                <td className="end">
                  <PositionText cell={cell.state === 'not_checked' ? null : cell} />
                </td>
                <td className="end num muted">{cell.state === 'not_checked' ? '' : cell.depth}</td>
                <td className="muted">{provider}</td>
                {competitors.map((competitor) => (
                  <td key={competitor.id} className="end num">
                    {formatShortPosition(competitor.positions[cell.date], t)}
                  </td>
                ))}
                {compared && (
                  <>
                    <td className="num">{before && formatDay(before.date, true)}</td>
                    <td className="end num">{formatShortPosition(positionOf(before), t)}</td>
                  </>
                )}
                <td className="muted">
                  {[
                    ...(cell.state === 'not_checked' ? [] : [formatInstant(cell.checkedAt)]),
                    ...notes,
                  ].join(' · ')}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
