/**
 * Prints each figure beside its goal. `npm run bench -- rankings` runs the sections whose file
 * names begin with that.
 */
import { readdir } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import type { Measurement } from './measurement.ts';
import { readTicks, stolenShare } from './quiet-rounds.ts';

const expected = process.argv[2] ?? '';
const scales = process.env.BENCH_SCALES?.split(',') ?? ['small', 'target', 'stress'];
const notSections = new Set([
  'main.ts',
  'measurement.ts',
  'database.ts',
  'product.ts',
  'bare-checks.ts',
  'bare-server.ts',
  'growth-database.ts',
  'growth-services.ts',
  'due-database.ts',
  'processor-time.ts',
  'hostile-tenant.ts',
  'load-generator.ts',
  'quiet-rounds.ts',
  'scores-fit.ts',
  'score-weights.ts',
  'traffic-v1.ts',
  'large-app.ts',
  'on-dashboard.ts',
  'scroll-table.ts',
  'idle-page.ts',
]);

const names = (await readdir(new URL('.', import.meta.url)))
  .filter((name) => name.endsWith('.ts') && !notSections.has(name) && name.startsWith(expected))
  .sort();
const widths = [58, 8, 14, 12, 4];
const print = (cells: string[]) =>
  console.log(
    cells
      .map((cell, index) => cell.padEnd(widths[index]!))
      .join(' | ')
      .trimEnd(),
  );

// A time measured beside other work includes it: readers of the table should know.
console.log(`${availableParallelism()} processors, load ${loadavg()[0]!.toFixed(1)}`);
print(['figure', 'scale', 'measured', 'goal', 'ok']);
print(widths.map((width) => '-'.repeat(width)));
let missed = 0;
for (const name of names) {
  const before = readTicks();
  const section = (await import(new URL(name, import.meta.url).href)) as {
    measure(scales: string[]): AsyncIterable<Measurement>;
  };
  for await (const figure of section.measure(scales)) {
    const ok =
      figure.goal === null ||
      (figure.isLeast ? figure.measured >= figure.goal : figure.measured <= figure.goal);
    if (!ok) missed += 1;
    const show = (value: number) => {
      const shown =
        value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3));
      return `${shown} ${figure.unit}`;
    };
    print([
      figure.name,
      figure.scale,
      show(figure.measured),
      figure.goal === null ? '–' : `${figure.isLeast ? '≥' : '≤'} ${show(figure.goal)}`,
      figure.goal === null ? '' : ok ? 'yes' : 'NO',
    ]);
  }
  if (before)
    console.log(
      `  (${name}: the host gave ${(stolenShare(before) * 100).toFixed(0)} % of this ` +
        `machine's time to others)`,
    );
}
// A browser that a section started ends with this process.
process.exit(missed > 0 ? 1 : 0);
