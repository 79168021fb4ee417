import type { TooltipComponentOption } from 'echarts/components';
import type { Palette } from './palette.ts';

/** A line of a tooltip, with a swatch if it has a colour. */
export type TipLine = [
  kind: 'day' | 'value' | 'note' | 'gap' | 'mark' | 'series',
  text: string,
  color?: string,
];

/**
 * Builds elements instead of an HTML string, so that no phrase or title can inject markup and no
 * inline style is needed.
 */
function writeTip(lines: TipLine[]): HTMLElement {
  const box = document.createElement('div');
  for (const [kind, text, color] of lines) {
    const line = document.createElement('div');
    line.className = `chart-tip-${kind}`;
    line.textContent = text;
    if (color) line.prepend(drawSwatch(color));
    box.append(line);
  }
  return box;
}

function drawSwatch(color: string): HTMLElement {
  const swatch = document.createElement('span');
  swatch.className = 'chart-tip-swatch';
  swatch.style.background = color;
  return swatch;
}

/** The tooltip of a chart over days. `describe` receives the index of the day. */
export function drawTip(
  palette: Palette,
  describe: (index: number) => TipLine[],
  trigger: 'axis' | 'item' = 'axis',
): TooltipComponentOption {
  return {
    trigger,
    confine: true,
    transitionDuration: 0,
    borderRadius: 10,
    padding: [8, 12],
    extraCssText: 'box-shadow: 0 8px 24px rgb(10 12 20 / 16%)',
    className: 'chart-tip',
    backgroundColor: palette.surface,
    borderColor: palette.line,
    axisPointer: { type: 'line', lineStyle: { color: palette.muted, type: 'solid', width: 1 } },
    formatter: (points) =>
      writeTip(describe((Array.isArray(points) ? points[0] : points)?.dataIndex ?? 0)),
  };
}
