const width = 320;
const height = 56;
const margin = 6;

/**
 * A line of daily values as inline SVG, oldest first; null leaves a gap. It has no background, so
 * it works on light and dark. `label` describes it in words.
 */
export function drawTrend(values: readonly (number | null)[], label: string): string {
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (day: number) =>
    round(margin + (day * (width - 2 * margin)) / Math.max(1, values.length - 1));
  const y = (value: number) =>
    round(
      high === low ? height / 2 : margin + ((high - value) * (height - 2 * margin)) / (high - low),
    );
  const runs = splitAtGaps(values);
  const lines = runs
    .filter((run) => run.length > 1)
    .map((run) => `M${run.map(({ day, value }) => `${x(day)} ${y(value)}`).join('L')}`);
  const dots = [
    ...runs.filter((run) => run.length === 1).map(([only]) => only!),
    ...runs.slice(-1).map((run) => run.at(-1)!),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 ` +
      `0 ${width} ${height}" role="img" aria-label="${escapeHtml(label)}">`,
    `<path d="M${margin} ${height - 1}H${width - margin}" stroke="#8c8c8c" ` +
      'stroke-opacity="0.5" fill="none"/>',
    ...(lines.length > 0
      ? [
          `<path d="${lines.join('')}" stroke="#4f7df3" stroke-width="2" fill="none" ` +
            'stroke-linejoin="round" stroke-linecap="round"/>',
        ]
      : []),
    ...dots.map(
      ({ day, value }) => `<circle cx="${x(day)}" cy="${y(value)}" r="2.5" fill="#4f7df3"/>`,
    ),
    '</svg>',
  ].join('');
}

interface Point {
  day: number;
  value: number;
}

function splitAtGaps(values: readonly (number | null)[]): Point[][] {
  const runs: Point[][] = [];
  for (const [day, value] of values.entries()) {
    if (value === null) continue;
    const last = runs.at(-1);
    if (last && last.at(-1)!.day === day - 1) last.push({ day, value });
    else runs.push([{ day, value }]);
  }
  return runs;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const named: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => named[character]!);
}
