import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { precompress } from '../../web/precompress.ts';

test('compressible files have compressed copies with the same content', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-packed-'));
  const code = 'export const answer = 42;\n'.repeat(200);
  await writeFile(join(folder, 'main.js'), code);
  await writeFile(join(folder, 'tiny.js'), '1');
  await writeFile(join(folder, 'font.woff2'), Buffer.alloc(5_000));
  await precompress(folder);
  expect((await readdir(folder)).toSorted()).toEqual([
    'font.woff2',
    'main.js',
    'main.js.br',
    'main.js.gz',
    'tiny.js',
  ]);
  expect(brotliDecompressSync(await readFile(join(folder, 'main.js.br'))).toString()).toBe(code);
  expect(gunzipSync(await readFile(join(folder, 'main.js.gz'))).toString()).toBe(code);
  await rm(folder, { recursive: true });
});
