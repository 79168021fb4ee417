/**
 * `npm test`: everything that must hold, in a random order. Parts of paths may be given to choose
 * some; TEST_SEED repeats the order of an earlier run. `--times` prints the files that take the
 * most processor time, and `--write-times` also writes the times by which files are ordered.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { TestModule } from 'vitest/node';
import { findProgram } from '#tests/harness/find-program.ts';
import { runVitest } from './run-vitest.ts';
import { printTimes, writeTimes } from './test-times.ts';

const optional: Record<string, string> = {
  'redis-server':
    'the queue is tested on PostgreSQL alone (Debian, Ubuntu: apt-get install redis-server)',
};

for (const [tool, consequence] of Object.entries(optional)) {
  if (findProgram(tool) === undefined) console.log(`${tool} is not installed: ${consequence}`);
}

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'boolean' }, 'write-times': { type: 'boolean' } },
});
const isMeasured = values.times === true || values['write-times'] === true;
if (isMeasured) process.env.TEST_TIMES = '1';
const seed = (process.env.TEST_SEED ??= String(randomInt(1_000_000)));
const command = files.length > 0 ? `npm test -- ${files.join(' ')}` : 'npm test';
const howToRepeat = `The order of tests is random; TEST_SEED=${seed} ${command} repeats it.`;
console.log(howToRepeat);
await runVitest(files, {}, howToRepeat, isMeasured ? report : undefined);

function report(modules: readonly TestModule[]): void {
  printTimes(modules);
  // The times of some files alone would replace those of all.
  if (values['write-times'] === true && files.length === 0) writeTimes(modules);
}
