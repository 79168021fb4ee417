/**
 * The colours of the page, read from its computed style, so that one chart option serves the light
 * and the dark theme.
 */
export interface Palette {
  accent: string;
  text: string;
  muted: string;
  line: string;
  surface: string;
  gain: string;
  loss: string;
  /** Colours for lines and areas side by side. They differ in lightness too. */
  series: string[];
  font: string;
}

const seriesCount = 8;

export function readPalette(element: HTMLElement): Palette {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(`--tr-${name}`).trim();
  return {
    accent: color('accent'),
    text: color('text'),
    muted: color('muted'),
    line: color('line'),
    surface: color('surface'),
    gain: color('gain-fill'),
    loss: color('loss-fill'),
    series: Array.from({ length: seriesCount }, (_, index) => color(`series-${index + 1}`)),
    font: style.fontFamily,
  };
}
