import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { ensureDashboard, webDist } from '../../src/boot/web-build.ts';

const maxInitialBytes = 260_000;
const maxPageBytes = 40_000;
const gzipped = (file: string) => gzipSync(readFileSync(`${webDist}/assets/${file}`)).length;
/** What the page asks for before anything of ours has run. */
const initial = () => [...readFileSync(`${webDist}/index.html`, 'utf8').matchAll(/"\/assets\/([^"]+\.(?:js|css))"/g)].map((match) => match[1]!);

beforeAll(() => ensureDashboard(() => undefined), 180_000);

test('the first load stays within 260 KB', () => {
  const files = initial();
  const bytes = files.reduce((sum, file) => sum + gzipped(file), 0);
  console.log(`first load: ${(bytes / 1_000).toFixed(1)} KB gzipped in ${files.length} files`);
  expect(bytes).toBeLessThanOrEqual(maxInitialBytes);
});

test('each page adds 40 KB at most, the chart library comes only with a chart', () => {
  const pages = readdirSync(`${webDist}/assets`).filter((file) => /-page-[\w-]+\.js$/.test(file));
  expect(pages.length).toBeGreaterThanOrEqual(7);
  for (const file of pages)
    expect({ file, bytes: gzipped(file) }).toEqual({ file, bytes: expect.toSatisfy((bytes: number) => bytes <= maxPageBytes) });
  expect(initial().filter((file) => file.startsWith('history-chart'))).toEqual([]);
});

test('the schemas of the API are types only: no validator is shipped', () => {
  const texts = readdirSync(`${webDist}/assets`)
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(`${webDist}/assets/${file}`, 'utf8'));
  expect(texts.some((text) => text.includes('ZodError') || text.includes('strictObject'))).toBe(false);
});

test('nothing in the built page is inline, and no other host is named', () => {
  const html = readFileSync(`${webDist}/index.html`, 'utf8');
  expect(html).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)/);
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(existsSync(fileURLToPath(new URL('../../web/public/theme.js', import.meta.url)))).toBe(true);
});
