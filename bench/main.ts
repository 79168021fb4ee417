/** Prints each figure beside its goal. `npm run bench -- rankings` runs the sections whose file names begin so. */
import { readdir } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import type { Figure } from './figure.ts';

const wanted = process.argv[2] ?? '';
const scales = process.env.BENCH_SCALES?.split(',') ?? ['small', 'target', 'stress'];
const notSections = new Set(['main.ts', 'figure.ts', 'database.ts', 'product.ts']);

const names = (await readdir(new URL('.', import.meta.url)))
  .filter((name) => name.endsWith('.ts') && !notSections.has(name) && name.startsWith(wanted))
  .sort();
const widths = [58, 8, 14, 12, 4];
const print = (cells: string[]) =>
  console.log(
    cells
      .map((cell, index) => cell.padEnd(widths[index]!))
      .join(' | ')
      .trimEnd(),
  );

// A time measured beside other work is the other work's: who reads the table should know.
console.log(`${availableParallelism()} processors, load ${loadavg()[0]!.toFixed(1)}`);
print(['figure', 'scale', 'measured', 'goal', 'ok']);
print(widths.map((width) => '-'.repeat(width)));
let missed = 0;
for (const name of names) {
  const before = readStolen();
  const section = (await import(new URL(name, import.meta.url).href)) as { measure(scales: string[]): AsyncIterable<Figure> };
  for await (const figure of section.measure(scales)) {
    const ok = figure.goal === null || (figure.isLeast ? figure.measured >= figure.goal : figure.measured <= figure.goal);
    if (!ok) missed += 1;
    const show = (value: number) => `${value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3))} ${figure.unit}`;
    print([
      figure.name,
      figure.scale,
      show(figure.measured),
      figure.goal === null ? '–' : `${figure.isLeast ? '≥' : '≤'} ${show(figure.goal)}`,
      figure.goal === null ? '' : ok ? 'yes' : 'NO',
    ]);
  }
  if (before) console.log(`  (${name}: the host gave ${(stolenShare(before) * 100).toFixed(0)} % of this machine's time to others)`);
}
// A browser that a section started goes with this process.
process.exit(missed > 0 ? 1 : 0);

/** Ticks of all processors, and those that the machine's host gave to others; null where the system does not tell. */
function readStolen(): { all: number; stolen: number } | null {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const ticks = line.split(/ +/).slice(1, 9).map(Number);
    return { all: ticks.reduce((sum, tick) => sum + tick, 0), stolen: ticks[7] ?? 0 };
  } catch {
    return null;
  }
}

/** Of the time that was worked or stolen since: a p95 measured while a fifth is stolen says little of the code. */
function stolenShare(before: { all: number; stolen: number }): number {
  const now = readStolen() ?? before;
  return (now.stolen - before.stolen) / Math.max(1, now.all - before.all);
}
