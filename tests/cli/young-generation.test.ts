import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '#scripts/rules/source-tree.ts';

/** Objects as a command that reads rows makes them: most of them are dropped at once. */
const readRows = `
  import { getHeapSpaceStatistics } from 'node:v8';
  let kept = [];
  for (let row = 0; row < 2_000_000; row += 1) {
    kept.push({ row, values: [row, row] });
    if (kept.length > 20_000) kept = [];
  }
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  console.log(space.space_size);`;

async function measureNewSpace(before: string): Promise<number> {
  const args = ['--input-type=module', '-e', before + readRows];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  return Number(stdout);
}

test('the memory of a command for short-lived objects stays small', async () => {
  const limited = `import { limitYoungGeneration } from '#cli/limit-young-generation.ts';
    limitYoungGeneration();`;
  const megabyte = 2 ** 20;
  // V8 grows it a little before the command can set the limit.
  expect(await measureNewSpace(limited)).toBeLessThanOrEqual(8 * megabyte);
  // Otherwise the limit would do nothing, and the test could not fail.
  expect(await measureNewSpace('')).toBeGreaterThan(16 * megabyte);
});
