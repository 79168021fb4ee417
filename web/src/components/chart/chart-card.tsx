import { ActionIcon, Menu, SegmentedControl } from '@mantine/core';
import { Download } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { writeCsv, type CsvValue } from '#lib/csv-writer.ts';
import { formatCount, formatDay, formatDecimal } from '#web/format.ts';
import { saveFile } from '#web/save-file.ts';
import { Card } from '../card.tsx';
import { showError } from '../toasts.tsx';
import styles from './chart-card.module.css';
import { Chart, type ChartProps } from './chart.tsx';

type ChartValue = Exclude<CsvValue, boolean>;

export interface ChartTable {
  head: string[];
  rows: ChartValue[][];
  /** Formats the cells of a column for display. The CSV contains the plain values. */
  formats?: Readonly<Record<number, (value: ChartValue) => string>>;
}

interface Props extends Omit<ChartProps, 'picture'> {
  title: string;
  lead?: ReactNode;
  /** The same data as rows, shown instead of the chart and saved as CSV. */
  table: ChartTable;
  /** Replaces the plain table where cells need more than text. */
  tableView?: ReactNode;
  /** Name of the saved files, without an extension. */
  fileName: string;
  action?: ReactNode;
  /** Shown above chart and table. */
  tools?: ReactNode;
  /** Shown below the chart. */
  legend?: ReactNode;
}

/** A chart with a table view and downloads as PNG and CSV. */
export function ChartCard({
  title,
  lead,
  table,
  tableView,
  fileName,
  action,
  tools,
  legend,
  ...chart
}: Props) {
  const { t } = useTranslation();
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const picture = useRef<SVGSVGElement>(null);
  const savePng = () => {
    if (!picture.current) return;
    const background = getComputedStyle(document.documentElement)
      .getPropertyValue('--tr-surface')
      .trim();
    const chart = picture.current;
    import('./save-picture.ts')
      .then(({ savePicture }) => savePicture(chart, fileName, background))
      .catch(() => showError(new Error(t('chart.failed'))));
  };
  return (
    <Card
      title={title}
      lead={lead}
      action={
        <div className={styles.controls}>
          {action}
          <SegmentedControl
            size="xs"
            aria-label={t('chart.view')}
            value={view}
            onChange={(value) => setView(value)}
            data={[
              { value: 'chart', label: t('chart.chart') },
              { value: 'table', label: t('chart.table') },
            ]}
          />
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon
                className="touch"
                variant="default"
                size={28}
                aria-label={`${t('chart.save')}: ${title}`}
              >
                <Download size={14} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={savePng} disabled={view === 'table'}>
                {t('chart.png')}
              </Menu.Item>
              <Menu.Item
                onClick={() =>
                  saveFile(`${fileName}.csv`, writeCsv([table.head, ...table.rows]), 'text/csv')
                }
              >
                {t('chart.csv')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      }
    >
      {tools}
      {view === 'chart' ? (
        <>
          <Chart {...chart} picture={picture} />
          {legend}
        </>
      ) : (
        (tableView ?? <PlainTable label={title} {...table} />)
      )}
    </Card>
  );
}

const isoDay = /^\d{4}-\d{2}-\d{2}$/;

function showValue(value: ChartValue): string {
  if (typeof value === 'string') return isoDay.test(value) ? formatDay(value, true) : value;
  return typeof value === 'number' ? formatDecimal(value, 2) : formatCount(value ?? 0);
}

function PlainTable({ label, head, rows, formats }: ChartTable & { label: string }) {
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
