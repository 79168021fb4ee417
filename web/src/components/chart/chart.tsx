import { useComputedColorScheme } from '@mantine/core';
import type { EChartsCoreOption } from 'echarts/core';
import { useEffect, useRef } from 'react';
import { useStable } from '../use-stable.ts';
import styles from './chart.module.css';
import { init, type EChartsType } from './echarts.ts';
import { readPalette, type Palette } from './palette.ts';

export interface ChartProps {
  /** Makes the option anew for the colours and the width at hand; keep it stable (useCallback) while its data is the same. */
  option: (palette: Palette, widthPx: number) => EChartsCoreOption;
  /** What the chart shows, in a sentence, for whoever does not see it. */
  label: string;
  height?: number;
  /** A point was pressed: the index of its data, and of its series. */
  onPick?: (dataIndex: number, seriesIndex: number) => void;
  /** The chart itself once it stands, for saving it as a picture. */
  onReady?: (chart: EChartsType) => void;
}

/** One ECharts chart on SVG. It comes in a chunk of its own: use `LazyChart`. */
export function Chart({ option, label, height = 300, onPick, onReady }: ChartProps) {
  const scheme = useComputedColorScheme('light');
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(null);
  const pick = useStable((dataIndex: number, seriesIndex: number) =>
    onPick?.(dataIndex, seriesIndex),
  );
  const ready = useStable((made: EChartsType) => onReady?.(made));
  useEffect(() => {
    const made = init(box.current, null, { renderer: 'svg' });
    chart.current = made;
    ready(made);
    made.on('click', ({ dataIndex, seriesIndex }) => pick(dataIndex, seriesIndex ?? 0));
    const observer = new ResizeObserver(() => made.resize());
    observer.observe(box.current!);
    return () => {
      observer.disconnect();
      made.dispose();
    };
  }, [pick, ready]);
  useEffect(() => {
    chart.current?.setOption(
      { animation: false, ...option(readPalette(box.current!), box.current!.clientWidth) },
      { notMerge: true },
    );
  }, [option, scheme]);
  useEffect(() => chart.current?.resize(), [height]);
  return (
    <div ref={box} className={styles.chart} style={{ height }} role="img" aria-label={label} />
  );
}
