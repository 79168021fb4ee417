/** `npm test`: everything that must hold; then what reckons with days once more where today is another day. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readTree } from './rules/tree.ts';
import { add, report, runVitest } from './run-vitest.ts';

const reckonsWithDays = /^tests\/.*(date|daily|ranking|run-rules|timezone)[^/]*\.test\.ts$/;
/** Fourteen hours ahead of UTC, and two and a half or three and a half behind with summer time. */
const farZones = ['Pacific/Kiritimati', 'America/St_Johns'];
const optional: Record<string, string> = {
  'redis-server': 'the queue is tested on PostgreSQL alone (Debian, Ubuntu: apt-get install redis-server)',
};

const started = performance.now();
const wanted = process.argv.slice(2);
for (const [tool, consequence] of Object.entries(optional)) {
  if (!isInstalled(tool)) console.log(`${tool} is not installed: ${consequence}`);
}

let counts = await runVitest(wanted, 'UTC');
const dayFiles =
  wanted.length > 0
    ? []
    : readTree()
        .map((file) => file.path)
        .filter((path) => reckonsWithDays.test(path));
for (const zone of dayFiles.length > 0 ? farZones : []) {
  console.log(`\nOnce more in ${zone}`);
  counts = add(counts, await runVitest(dayFiles, zone));
}
console.log(`\nAll of it took ${Math.round((performance.now() - started) / 1000)} s.`);
report(counts);

function isInstalled(tool: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, tool)));
}
