/** The colours of the page as CSS values: a chart follows the theme without being drawn again. */
export const colors = {
  accent: 'var(--tr-accent)',
  text: 'var(--tr-text)',
  muted: 'var(--tr-muted)',
  line: 'var(--tr-line)',
  surface: 'var(--tr-surface)',
  gain: 'var(--tr-gain-fill)',
  loss: 'var(--tr-loss-fill)',
} as const;

const seriesCount = 8;

/** Colours for lines and areas side by side. They differ in lightness too. */
export const seriesColor = (index: number): string =>
  `var(--tr-series-${(index % seriesCount) + 1})`;

/** The line of the app has the first colour, and its competitors those after it. */
export const competitorColor = (index: number): string =>
  seriesColor(1 + (index % (seriesCount - 1)));

/** A color with this share of it on the surface of a card; equal steps look equal. */
export const fadeColor = (color: string, share: number): string =>
  `color-mix(in oklab, ${color} ${share * 100}%, ${colors.surface})`;
