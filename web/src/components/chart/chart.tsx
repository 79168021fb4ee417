import { useComputedColorScheme } from '@mantine/core';
import type { EChartsCoreOption } from 'echarts/core';
import { useEffect, useRef } from 'react';
import { useStable } from '../use-stable.ts';
import styles from './chart.module.css';
import { init, type EChartsType } from './echarts.ts';
import { readPalette, type Palette } from './palette.ts';

export interface ChartProps {
  /**
   * Builds the option for the current colours and width. Keep it stable with useCallback while its
   * data is the same.
   */
  option: (palette: Palette, widthPx: number) => EChartsCoreOption;
  /** Describes the chart in one sentence for screen readers. */
  label: string;
  height?: number;
  /** Called with the index of the selected point and of its series. */
  onPick?: (dataIndex: number, seriesIndex: number) => void;
  /** Called with the chart instance once it is ready, for saving it as an image. */
  onReady?: (chart: EChartsType) => void;
}

/** One ECharts chart rendered as SVG. It is in a chunk of its own; use `LazyChart`. */
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
