/**
 * `npm test`: everything that must hold, in a random order. Parts of paths may be given to choose
 * some; TEST_SEED repeats the order of an earlier run.
 */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runVitest } from './run-vitest.ts';

const optional: Record<string, string> = {
  'redis-server':
    'the queue is tested on PostgreSQL alone (Debian, Ubuntu: apt-get install redis-server)',
};

for (const [tool, consequence] of Object.entries(optional)) {
  if (!isInstalled(tool)) console.log(`${tool} is not installed: ${consequence}`);
}

const files = process.argv.slice(2);
const seed = (process.env.TEST_SEED ??= String(randomInt(1_000_000)));
const command = files.length > 0 ? `npm test -- ${files.join(' ')}` : 'npm test';
const howToRepeat = `The order of tests is random; TEST_SEED=${seed} ${command} repeats it.`;
console.log(howToRepeat);
await runVitest(files, {}, howToRepeat);

function isInstalled(tool: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, tool)));
}
