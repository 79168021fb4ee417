import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Chart as ChartComponent, ChartProps } from './chart.tsx';

let Chart: typeof ChartComponent | null = null;

async function fetchChart(): Promise<void> {
  Chart = (await import('./chart.tsx')).Chart;
}

/**
 * A chart whose library is loaded on first use. It does not use `lazy`, because React delays
 * content by 0.3 s once a fallback was shown, even if the library is already loaded.
 */
export function LazyChart(props: ChartProps) {
  const [isHere, setIsHere] = useState(Chart !== null);
  useEffect(() => {
    if (isHere) return;
    fetchChart().then(
      () => setIsHere(true),
      (error: unknown) =>
        setIsHere(() => {
          throw error;
        }),
    );
  }, [isHere]);
  return isHere && Chart ? <Chart {...props} /> : <Skeleton height={props.height ?? 300} />;
}
