import { useTranslation } from 'react-i18next';
import { MarketChip } from '#web/components/market-chip.tsx';
import { formatCount, formatDay } from '#web/format.ts';
import type { HistoryRow } from '#web/queries/history-imports.ts';

interface Props {
  label: string;
  rows: readonly HistoryRow[];
  /** The rows were imported, and not only read. */
  isDone?: boolean;
}

const isWritten = ({ outcome }: HistoryRow): boolean => outcome === 'written';

/** Rows of the file as they are read, with their result. */
export function HistoryRows({ label, rows, isDone }: Props) {
  const { t } = useTranslation();
  return (
    <div className="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('history.line')}</th>
            <th scope="col">{t('csv.field.phrase')}</th>
            <th scope="col">{t('csv.field.country')}</th>
            <th scope="col">{t('csv.field.date')}</th>
            <th scope="col">{t('csv.field.position')}</th>
            <th scope="col">{t('csv.field.depth')}</th>
            <th scope="col">{t('csv.outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.line} ${row.column}`}>
              <td className="num">{formatCount(row.line)}</td>
              <td dir="auto">{row.phrase ?? '–'}</td>
              <td>
                {row.country ? (
                  <MarketChip of={{ country: row.country, device: row.device ?? undefined }} />
                ) : (
                  '–'
                )}
              </td>
              <td className="num">{row.date ? formatDay(row.date, true) : '–'}</td>
              <td className="num">{row.position ?? (row.depth ? `>${row.depth}` : '–')}</td>
              <td className="num">{row.depth ?? '–'}</td>
              <td>
                {row.reason
                  ? t('history.refusedBecause', {
                      reason: t(`history.reason.${row.reason}`),
                      value: row.value ?? '',
                    })
                  : t(`history.outcome.${isDone && isWritten(row) ? 'imported' : row.outcome}`)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
