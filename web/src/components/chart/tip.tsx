import { useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './chart.module.css';

/** A line of a tooltip, with a swatch if it has a colour. */
export type TipLine = [
  kind: 'day' | 'value' | 'note' | 'gap' | 'mark' | 'series',
  text: string,
  color?: string,
];

const distancePx = 12;

interface Props {
  lines: readonly TipLine[];
  /** The pointer, in pixels of the chart. */
  x: number;
  y: number;
  /** Controls below the lines, for a finger that cannot point. */
  children?: ReactNode;
}

/** The tooltip beside the pointer, within the chart. */
export function Tip({ lines, x, y, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const tip = box.current!;
    const chart = tip.parentElement!;
    const space = {
      x: chart.clientWidth - tip.offsetWidth,
      y: chart.clientHeight - tip.offsetHeight,
    };
    const right = x + distancePx;
    const left = right <= space.x ? right : x - distancePx - tip.offsetWidth;
    const top = y - distancePx - tip.offsetHeight;
    tip.style.transform = `translate(${within(left, space.x)}px, ${within(top, space.y)}px)`;
  });
  return (
    <div ref={box} className={styles.tip}>
      {lines.map(([kind, text, color], index) => (
        <div key={index} className={styles[kind]}>
          {color && <span className={styles.swatch} style={{ background: color }} />}
          {text}
        </div>
      ))}
      {children}
    </div>
  );
}

const within = (value: number, max: number): number => Math.max(0, Math.min(value, max));
