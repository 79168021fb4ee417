import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { reportFigures } from '../harness/progress.ts';
import { redisProgram } from '../harness/redis.ts';

const script = fileURLToPath(new URL('../../ops/drill.sh', import.meta.url));
const markets = process.env.TORTURE ? 1_000 : 12;

test('the drill loses data directory, queue and a host, and brings everything back', async () => {
  const args = ['--markets', String(markets), ...(process.env.TORTURE ? [] : ['--hurry'])];
  const { stdout } = await promisify(execFile)(script, args, { maxBuffer: 2 ** 20 });
  expect(stdout).toContain(`${markets} keyword markets were added; ${markets} positions are true`);
  expect(stdout).toMatch(/s {2}toprung restore, of the newest file/);
  const everything = stdout.match(/everything was scheduled again; \d+ positions are true/g);
  expect(everything).toHaveLength(redisProgram === undefined ? 1 : 2);
  expect(stdout).toMatch(/the other worker did its work; \d+ positions are true/);
  expect(stdout).toContain('Nothing was lost, and every position is true.');
  const seconds = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1]);
  reportFigures(29, {
    'keyword markets before the first loss': markets,
    'seconds of the restore': seconds(/([\d.]+) s {2}toprung restore/),
    'seconds from the loss to serving again': seconds(/serves again ([\d.]+) s/),
    'seconds of the drill': seconds(/took (\d+) s/),
  });
}, 1_800_000);
