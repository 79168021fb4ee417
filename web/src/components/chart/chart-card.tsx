import { ActionIcon, Menu, SegmentedControl } from '@mantine/core';
import { Download } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatDay, formatDecimal } from '../../format.ts';
import { saveFile, writeCsv, type CsvValue } from '../../save-file.ts';
import { Card } from '../card.tsx';
import { showError } from '../toasts.tsx';
import styles from './chart-card.module.css';
import type { ChartProps } from './chart.tsx';
import type { EChartsType } from './echarts.ts';
import { LazyChart } from './lazy-chart.tsx';
import { savePicture } from './save-picture.ts';

export interface ChartTable {
  head: string[];
  rows: CsvValue[][];
  /** By column: how the page shows what a number or a day alone does not say. The CSV has the plain value. */
  formats?: Readonly<Record<number, (value: CsvValue) => string>>;
}

interface Props extends Omit<ChartProps, 'onReady'> {
  title: string;
  lead?: ReactNode;
  /** The same facts in rows: what is shown instead of the chart, and saved as CSV. */
  table: ChartTable;
  /** In place of the plain rows, where they need more than figures. */
  tableView?: ReactNode;
  /** Of the files saved, without an ending. */
  fileName: string;
  action?: ReactNode;
  /** Above chart and table: what is shown in them. */
  tools?: ReactNode;
  /** Under the chart: what its colours mean. */
  legend?: ReactNode;
}

/** A chart with its table, its picture and its CSV. */
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
  const drawn = useRef<EChartsType>(null);
  const savePng = () => {
    if (!drawn.current) return;
    const background = getComputedStyle(document.documentElement)
      .getPropertyValue('--tr-surface')
      .trim();
    savePicture(drawn.current, fileName, background).catch(() =>
      showError(new Error(t('chart.failed'))),
    );
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
          <LazyChart
            {...chart}
            onReady={(made) => {
              drawn.current = made;
            }}
          />
          {legend}
        </>
      ) : (
        (tableView ?? <PlainTable label={title} {...table} />)
      )}
    </Card>
  );
}

const isoDay = /^\d{4}-\d{2}-\d{2}$/;

function showValue(value: CsvValue): string {
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
