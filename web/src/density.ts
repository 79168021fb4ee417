import { createStored, useStored } from './stored.ts';

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

const stored = createStored<Density>('toprung.density', (found) =>
  found === 'comfortable' ? 'comfortable' : 'compact',
);

/**
 * Row heights, which the virtual list calculates with. All other sizes follow the `data-density`
 * attribute in CSS.
 */
export function useDensity(): Density {
  return useStored(stored);
}

export function setDensity(density: Density): void {
  stored.set(density);
}

function show(): void {
  document.documentElement.dataset.density = stored.get();
}

export function startDensity(): void {
  show();
  stored.subscribe(show);
}
