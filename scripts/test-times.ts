import { writeFileSync } from 'node:fs';
import type { TestModule } from 'vitest/node';
import { root } from './rules/source-tree.ts';

const written = 'tests/harness/file-times.json';
/** Shorter files need no entry: their order matters little. */
const leastSeconds = 4;
const shown = 40;

interface FileTimes {
  /** The path below `tests/`, without `.test.ts`. */
  name: string;
  project: string;
  seconds: number;
  processorSeconds: number;
}

/** Prints the files that took the most processor time. */
export function printTimes(modules: readonly TestModule[]): void {
  const files = listTimes(modules).toSorted((a, b) => b.processorSeconds - a.processorSeconds);
  console.log('\nprocessor    wall  file');
  const cell = (seconds: number) => `${seconds.toFixed(1).padStart(7)} s`;
  for (const { name, project, seconds, processorSeconds } of files.slice(0, shown))
    console.log(`${cell(processorSeconds)} ${cell(seconds)}  ${name} (${project})`);
  const sum = files.reduce((total, file) => total + file.processorSeconds, 0);
  console.log(`${cell(sum)} in the workers and in what they started`);
}

/** Writes what `tests/harness/file-order.ts` orders files by. */
export function writeTimes(modules: readonly TestModule[]): void {
  const longest = new Map<string, FileTimes>();
  for (const file of listTimes(modules)) {
    const known = longest.get(file.name);
    if (known === undefined || known.seconds < file.seconds) longest.set(file.name, file);
  }
  const lines = [...longest.values()]
    .filter(({ seconds }) => seconds >= leastSeconds)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      ({ name, seconds, processorSeconds }) =>
        `  "${name}": [${Math.round(seconds)}, ${Math.round(processorSeconds)}]`,
    );
  writeFileSync(root + written, `{\n${lines.join(',\n')}\n}\n`);
  console.log(`${written} is written.`);
}

function listTimes(modules: readonly TestModule[]): FileTimes[] {
  return modules.map((module) => {
    const { duration, collectDuration } = module.diagnostic();
    return {
      name: /tests\/(.*)\.test\.ts$/.exec(module.moduleId)?.[1] ?? module.moduleId,
      project: module.project.name,
      seconds: (duration + collectDuration) / 1_000,
      processorSeconds: module.meta().processorSeconds ?? 0,
    };
  });
}
