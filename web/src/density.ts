import { createStored, useStored } from './stored.ts';

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

const stored = createStored<Density>('toprung.density', (found) =>
  found === 'compact' ? 'compact' : 'comfortable',
);

/** What a stylesheet cannot know: heights that are reckoned with. The others follow `data-density` of the page. */
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
