/** The colours of the page, as a chart needs them: read from its style, so that light and dark are one option. */
export interface Palette {
  accent: string;
  text: string;
  muted: string;
  line: string;
  surface: string;
  gain: string;
  loss: string;
  /** For lines and areas beside one another; told apart by lightness too. */
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
