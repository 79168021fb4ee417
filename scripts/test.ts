/** `npm test`: everything that must hold. Parts of paths may be given to choose some. */
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
await runVitest(process.argv.slice(2));

function isInstalled(tool: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, tool)));
}
