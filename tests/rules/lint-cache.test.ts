import { expect, test } from 'vitest';
import { hashTree, listStale } from '#scripts/lint-cache.ts';
import { inlineSource } from './inline-source.ts';

const texts = {
  'src/a.ts': 'export const a = 1;',
  'src/lib/b.ts': "export { a } from '../a.ts';",
  'tests/c.test.ts': "import type { A } from '#lib/b.ts';\nexport type C = A;",
  'tests/d.test.ts': "const it = await import('../src/lib/b.ts');\nexport default it;",
  'src/other.ts': 'export const other = 2;',
  'src/global.ts': 'declare global {\n  var known: number;\n}\nexport {};',
  'package.json': '{ "version": "1.0.0" }',
  'docs/a.md': 'A page.',
};
const treeOf = (own: Record<string, string>) =>
  Object.entries(own).map(([path, text]) => inlineSource(path, text));
const passed = hashTree(treeOf(texts));
const staleAfter = (change: Record<string, string>) =>
  listStale(treeOf({ ...texts, ...change }), passed);

test('lint reads what changed, and what depends on it', () => {
  expect(staleAfter({})).toEqual([]);
  expect(staleAfter({ 'docs/a.md': 'Another page.' })).toEqual([]);
  expect(staleAfter({ 'src/other.ts': 'export const other = 3;' })).toEqual(['src/other.ts']);
  expect(staleAfter({ 'src/a.ts': 'export const a = 2;' })).toEqual([
    'src/a.ts',
    'src/lib/b.ts',
    'tests/c.test.ts',
    'tests/d.test.ts',
  ]);
  expect(staleAfter({ 'src/new.ts': 'export {};' })).toEqual(['src/new.ts']);
});

test('lint reads the importers of a file that is gone', () => {
  const { 'src/a.ts': _gone, ...rest } = texts;
  expect(listStale(treeOf(rest), passed)).toEqual([
    'src/lib/b.ts',
    'tests/c.test.ts',
    'tests/d.test.ts',
  ]);
});

test.each([
  { 'package.json': '{ "version": "1.0.1" }' },
  { 'src/global.ts': 'declare global {\n  var known: string;\n}\nexport {};' },
])('lint reads everything after a change of %o', (change) => {
  expect(staleAfter(change)).toBeNull();
});

test('lint reads everything if it never passed', () => {
  expect(listStale(treeOf(texts), null)).toBeNull();
});
