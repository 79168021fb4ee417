import { describe, expect, it } from 'vitest';
import { findLockTroubles } from '../../scripts/rules/lockfile.ts';
import { readTree } from '../../scripts/rules/tree.ts';
import { plant, print } from './plant.ts';

type Entry = Record<string, unknown>;
const good: Entry = { version: '1.0.0', integrity: 'sha512-x' };

function judgeLock(packages: Record<string, Entry>, manifest: object = {}): string[] {
  const lock = { packages: { '': {}, ...packages } };
  return findLockTroubles([
    plant('package.json', JSON.stringify(manifest)),
    plant('package-lock.json', JSON.stringify(lock)),
  ]).map((finding) => finding.problem);
}

describe('package-lock.json', () => {
  it('is whole, names no host, and lets nothing run unasked', () => {
    expect(print(findLockTroubles(readTree()))).toEqual([]);
  });

  it('a sound lock has no trouble', () => {
    const parent = { ...good, optionalDependencies: { 'a-linux': '1.0.0', 'a-darwin': '1.0.0' } };
    const packages = {
      'node_modules/a': parent,
      'node_modules/a-linux': good,
      'node_modules/a/node_modules/a-darwin': good,
    };
    expect(judgeLock(packages, { dependencies: { a: '1.0.0', b: 'npm:c@2.0.0' } })).toEqual([]);
  });

  it.each([
    ['an entry without integrity', { version: '1.0.0' }],
    ['a weak hash', { ...good, integrity: 'sha1-x' }],
    ['a host', { ...good, resolved: 'https://registry.example.org/a/-/a-1.0.0.tgz' }],
    ['an install script nobody decided about', { ...good, hasInstallScript: true }],
    [
      'a platform package that is not there',
      { ...good, optionalDependencies: { 'a-linux': '1.0.0' } },
    ],
  ])('%s is caught', (_name, entry) => {
    expect(judgeLock({ 'node_modules/a': entry })).toHaveLength(1);
  });

  it('a version that may move is caught', () => {
    expect(
      judgeLock({}, { dependencies: { a: '^1.0.0' }, devDependencies: { b: 'latest' } }),
    ).toHaveLength(2);
  });
});
