import type { Run } from '../api.ts';
import type { Tone } from './state.tsx';

export const storeTones: Record<Run['storeHealth'][number]['state'], Tone> = {
  ok: 'good',
  degraded: 'warn',
  unknown: 'off',
};
