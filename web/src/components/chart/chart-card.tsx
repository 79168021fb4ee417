import { ActionIcon, SegmentedControl } from '@mantine/core';
import { Download } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { writeCsv } from '#lib/csv-writer.ts';
import { saveFile } from '#web/save-file.ts';
import { MenuButton } from '../overlays/menu-button.tsx';
import { Card } from '../card.tsx';
import { lazyPart } from '../lazy-part.tsx';
import { showFailure } from '../toasts/toasts.tsx';
import styles from './chart-card.module.css';
import type { ChartTable } from './chart-table.ts';
import { Chart, type ChartProps } from './chart.tsx';

const PlainTable = lazyPart(async () => (await import('./plain-table.tsx')).PlainTable);

const loadChartOverlays = () => import('./overlays.ts');

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
  /** Replaces all but title, lead and action where there is nothing to draw. */
  empty?: ReactNode;
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
  empty,
  tools,
  legend,
  ...chart
}: Props) {
  const { t } = useTranslation();
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const picture = useRef<SVGSVGElement>(null);
  const savePng = () => {
    const chart = picture.current;
    if (!chart) return;
    import('./save-picture.ts')
      .then(({ savePicture }) => savePicture(chart, fileName))
      .catch(() => showFailure(t('chart.failed')));
  };
  return (
    <Card
      title={title}
      lead={lead}
      action={
        <div className={styles.controls}>
          {action}
          {!empty && (
            <>
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
              <MenuButton
                load={loadChartOverlays}
                position="bottom-end"
                button={(props) => (
                  <ActionIcon
                    {...props}
                    className="touch"
                    variant="default"
                    size={28}
                    aria-label={`${t('chart.save')}: ${title}`}
                  >
                    <Download size={14} aria-hidden />
                  </ActionIcon>
                )}
                items={({ SaveItems }) => (
                  <SaveItems
                    onPng={view === 'chart' ? savePng : undefined}
                    onCsv={() =>
                      saveFile(`${fileName}.csv`, writeCsv([table.head, ...table.rows]), 'text/csv')
                    }
                  />
                )}
              />
            </>
          )}
        </div>
      }
    >
      {empty || (
        <>
          {tools}
          {view === 'chart' ? (
            <>
              <Chart {...chart} picture={picture} />
              {legend}
            </>
          ) : (
            (tableView ?? <PlainTable label={title} {...table} />)
          )}
        </>
      )}
    </Card>
  );
}
