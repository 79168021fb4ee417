import { Monitor, Moon, Sun } from 'lucide-react';

export const colorSchemes = [
  ['light', Sun],
  ['dark', Moon],
  ['auto', Monitor],
] as const;
