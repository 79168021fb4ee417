import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { goals, weighDashboard } from '#bench/bundle.ts';
import { webDist } from '#boot/dashboard-build.ts';
import { readTree } from '#scripts/rules/source-tree.ts';
import { serverOnly } from '../../web/shown-profiles.ts';
import { buildDashboard } from '../harness/build-dashboard.ts';

beforeAll(buildDashboard);

// The frame and the overview are in few files, which every first visit loads.
test('the first load is 259 KB and 8 files at most: frame, overview, styles, font, texts', () => {
  const { firstKb, firstRequests } = weighDashboard();
  console.log(`first load: ${firstKb.toFixed(1)} KB gzipped in ${firstRequests} files`);
  expect(firstRequests).toBeLessThanOrEqual(goals.firstRequests);
  expect(firstKb).toBeLessThanOrEqual(goals.firstKb);
  // Fewer bytes than React alone means that something was not counted.
  expect(firstKb).toBeGreaterThan(100);
});

test('each page adds 40 KB at most', () => {
  const { pages } = weighDashboard();
  expect(pages.length).toBeGreaterThanOrEqual(25);
  expect(
    pages.filter(({ ownKb }) => ownKb > goals.pageKb).map(({ name, ownKb }) => ({ name, ownKb })),
  ).toEqual([]);
});

test('no two files of the bundle import each other in a cycle', () => {
  const chunks = JSON.parse(readFileSync(`${webDist}/.vite/manifest.json`, 'utf8')) as Record<
    string,
    { imports?: string[] }
  >;
  const reachable = (from: string): Set<string> => {
    const seen = new Set(chunks[from]!.imports);
    for (const name of seen) for (const next of chunks[name]!.imports ?? []) seen.add(next);
    return seen;
  };
  expect(Object.keys(chunks).length).toBeGreaterThan(50);
  expect(Object.keys(chunks).filter((name) => reachable(name).has(name))).toEqual([]);
});

test('the API’s schemas are types only: no validator is shipped', () => {
  const texts = readdirSync(`${webDist}/assets`)
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(`${webDist}/assets/${file}`, 'utf8'));
  expect(texts.some((text) => text.includes('ZodError') || text.includes('strictObject'))).toBe(
    false,
  );
});

test('no page reads a member of a store profile that is left out of the bundle', () => {
  const members = serverOnly.join('|');
  const read = new RegExp(
    String.raw`profileOf\([^)]*\)\??\.(?:${members})\b|\b(?:${members})\b[^;{}]*\} = profileOf\(`,
  );
  const pages = readTree().filter(({ path }) => path.startsWith('web/src/'));
  expect(pages.length).toBeGreaterThan(300);
  expect(pages.filter(({ text }) => read.test(text)).map(({ path }) => path)).toEqual([]);
  expect("const { scores } = profileOf('ios');").toMatch(read);
});

test('nothing in the built page is inline, and no other host is named', () => {
  const html = readFileSync(`${webDist}/index.html`, 'utf8');
  expect(html).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)/);
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(existsSync(fileURLToPath(new URL('../../web/public/head.js', import.meta.url)))).toBe(
    true,
  );
});
