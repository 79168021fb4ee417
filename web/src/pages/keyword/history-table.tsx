import { useTranslation } from 'react-i18next';
import type { History } from '../../api.ts';
import { PositionText } from '../../components/position-text.tsx';
import { formatDay, formatInstant } from '../../format.ts';
import { placeText } from './history-text.ts';
import type { RivalHistory } from './rival-histories.ts';

/** The chart as rows, newest first: the same facts for whoever cannot or will not read a chart. */
export function HistoryTable({
  history,
  rivals,
}: {
  history: History;
  rivals: readonly RivalHistory[];
}) {
  const { t } = useTranslation();
  const marks = Map.groupBy(history.annotations, (annotation) => annotation.date);
  return (
    <div
      className="table-scroll tall"
      role="region"
      aria-label={t('history.tableLabel')}
      tabIndex={0}
    >
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('history.day')}</th>
            <th className="end">{t('column.position')}</th>
            <th className="end">{t('history.depth')}</th>
            {rivals.map(({ id, name }) => (
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
              {rivals.map((rival) => (
                <td key={rival.id} className="end num">
                  {placeText(rival, cell.date)}
                </td>
              ))}
              <td className="muted">
                {[
                  cell.state === 'not_checked'
                    ? `${t('history.gap')}: ${t(`gap.${cell.reason}`)}`
                    : formatInstant(cell.checkedAt),
                  ...(marks.get(cell.date) ?? []).map(
                    (mark) => `${t(`annotation.${mark.kind}`)}: ${mark.text}`,
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
