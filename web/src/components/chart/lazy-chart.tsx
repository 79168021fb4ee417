import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Chart as ChartComponent, ChartProps } from './chart.tsx';

let Chart: typeof ChartComponent | null = null;

/** A page that will draw a chart may have the library fetched before it has what to draw. */
export async function fetchChart(): Promise<void> {
  Chart = (await import('./chart.tsx')).Chart;
}

/**
 * A chart whose library is fetched when the first one is drawn. Not `lazy`: React holds back what it has once shown a
 * fallback for by 0.3 s, and shows one for a moment even where the library is there.
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
