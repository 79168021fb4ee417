import { useTranslation } from 'react-i18next';
import { formatCount, formatDay, formatDecimal } from '#web/format.ts';
import type { ChartTable, ChartValue } from './chart-table.ts';

const isoDay = /^\d{4}-\d{2}-\d{2}$/;

function showValue(value: ChartValue): string {
  if (typeof value === 'string') return isoDay.test(value) ? formatDay(value, true) : value;
  return typeof value === 'number' ? formatDecimal(value, 2) : formatCount(value ?? 0);
}

/** The values of a chart as a table. */
export function PlainTable({ label, head, rows, formats }: ChartTable & { label: string }) {
  const { t } = useTranslation();
  return (
    <div
      className="table-scroll tall"
      role="region"
      aria-label={t('table.region', { label })}
      tabIndex={0}
    >
      <table className="plain-table">
        <thead>
          <tr>
            {head.map((name, index) => (
              <th key={name} scope="col" className={index === 0 ? undefined : 'end'}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row[0]} ${row[1]}`}>
              {row.map((value, index) => (
                <td key={head[index]} className={index === 0 ? 'num' : 'end num'}>
                  {value === null || value === undefined
                    ? '–'
                    : (formats?.[index] ?? showValue)(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
