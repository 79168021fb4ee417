import { colors } from '../chart/colors.ts';
import type { LineLayer } from '../chart/spec.ts';

export const comparedColor = colors.muted;

/** The line of the compared period: dashed, so that it differs without colours too. */
export const comparedLine = (name: string, values: readonly (number | null)[]): LineLayer => ({
  kind: 'line',
  name,
  values,
  color: comparedColor,
  width: 1.5,
  dashes: '5 4',
  dot: 4,
  hasAllDots: false,
});
