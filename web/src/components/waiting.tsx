import { Skeleton } from '@mantine/core';
import styles from './waiting.module.css';

/** In pixels, of the loaded part: at 1280 px, and on a phone if it differs there. */
export type WaitingHeight = number | readonly [wide: number, narrow: number];

/** The placeholder of a card, as high as the card will be, so that nothing below it moves. */
export function Waiting({ height }: { height: WaitingHeight }) {
  const [wide, narrow] = typeof height === 'number' ? [height, height] : height;
  return (
    <Skeleton
      className={styles.waiting}
      style={{ '--waiting-wide': `${wide}px`, '--waiting-narrow': `${narrow}px` }}
      height="var(--waiting)"
      radius={14}
    />
  );
}
