import type { Run } from '../api.ts';
import type { Tone } from './state.tsx';

/** How a store answered its known search. */
export const storeTones: Record<Run['storeHealth'][number]['state'], Tone> = {
  ok: 'good',
  degraded: 'warn',
  unknown: 'off',
};
