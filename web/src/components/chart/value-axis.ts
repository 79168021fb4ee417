import { nice, ticks } from 'd3-array';
import { formatCount } from '#web/format.ts';
import type { ValueAxis } from './spec.ts';

const tickCount = 5;

/** Counts from 0, or from the negative `min`, to a round number. */
export function countAxis(
  max: number,
  { min = 0, format = formatCount }: Partial<Pick<ValueAxis, 'min' | 'format'>> = {},
): ValueAxis {
  const [low, high] = nice(min, Math.max(1, max), tickCount);
  return {
    min: low,
    max: high,
    ticks: ticks(low, high, tickCount).filter(Number.isInteger),
    format,
  };
}

/** Exactly from `min` to `max`. */
export const exactAxis = (
  min: number,
  max: number,
  format: (value: number) => string,
): ValueAxis => ({
  min,
  max,
  ticks: ticks(min, max, tickCount),
  format,
});

const positionTicks = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200];

/**
 * Positions, with 1 at the top. The axis has labels down to the `lowest` known position, and space
 * below it for apps that were not found, down to `bottom`.
 */
export function positionAxis(lowest: number, bottom: number, isLog = false): ValueAxis {
  const steps = isLog ? positionTicks : ticks(1, bottom, tickCount).filter(Number.isInteger);
  return {
    min: 1,
    max: bottom,
    isInverse: true,
    isLog,
    ticks: [1, ...steps.filter((tick) => tick > 1 && tick <= lowest)],
    format: String,
  };
}
