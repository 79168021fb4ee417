import { existsSync, readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { describe, expect, it } from 'vitest';
import { findLockfileProblems } from '#scripts/rules/lockfile.ts';
import { root } from '#scripts/rules/source-tree.ts';
import { inlineSource } from './inline-source.ts';

type Entry = Record<string, unknown>;
const good: Entry = { version: '1.0.0', integrity: 'sha512-x' };
const readJson = <Content>(path: string) =>
  JSON.parse(readFileSync(root + path, 'utf8')) as Content;

function checkLockfile(
  packages: Record<string, Entry>,
  manifest: object = {},
  settings = 'strict-allow-scripts=true',
): string[] {
  const lock = { packages: { '': {}, ...packages } };
  return findLockfileProblems([
    inlineSource('package.json', JSON.stringify(manifest)),
    inlineSource('package-lock.json', JSON.stringify(lock)),
    inlineSource('.npmrc', `save-exact=true\n${settings}\n`),
  ]).map((finding) => finding.problem);
}

describe('package-lock.json', () => {
  it('has no findings when it is valid', () => {
    const parent = { ...good, optionalDependencies: { 'a-linux': '1.0.0', 'a-darwin': '1.0.0' } };
    const packages = {
      'node_modules/a': parent,
      'node_modules/a-linux': good,
      'node_modules/a/node_modules/a-darwin': good,
    };
    expect(checkLockfile(packages, { dependencies: { a: '1.0.0', b: 'npm:c@2.0.0' } })).toEqual([]);
  });

  it.each([
    ['an entry without integrity', { version: '1.0.0' }],
    ['a weak hash', { ...good, integrity: 'sha1-x' }],
    ['a host', { ...good, resolved: 'https://registry.example.org/a/-/a-1.0.0.tgz' }],
    ['a range of Node versions', { ...good, engines: { node: '>=22' } }],
    ['an install script without a decision', { ...good, hasInstallScript: true }],
    ['a missing platform package', { ...good, optionalDependencies: { 'a-linux': '1.0.0' } }],
  ])('with %s is reported', (_name, entry) => {
    expect(checkLockfile({ 'node_modules/a': entry })).toHaveLength(1);
  });

  it('with a version range is reported', () => {
    expect(
      checkLockfile({}, { dependencies: { a: '^1.0.0' }, devDependencies: { b: 'latest' } }),
    ).toHaveLength(2);
  });

  it('is installed without scripts that nobody has decided about', () => {
    const settings = (text: string) => checkLockfile({}, {}, text);
    expect(settings('strict-allow-scripts=false')).toEqual(['lacks strict-allow-scripts=true']);
    expect(settings('')).toHaveLength(1);
    const ours = readFileSync(`${root}.npmrc`, 'utf8').split('\n');
    expect(ours).toContain('strict-allow-scripts=true');
  });

  it('has no package that does not run on the pinned Node', () => {
    const { version: pinned } = readJson<{ version: string }>('node_modules/node/package.json');
    const { packages } = readJson<{ packages: Record<string, Entry> }>('package-lock.json');
    const paths = Object.keys(packages).filter(
      (path) => path !== '' && existsSync(`${root}${path}/package.json`),
    );
    expect(paths.length).toBeGreaterThan(300);
    const unfit = paths.filter((path) => {
      const { engines } = readJson<{ engines?: { node?: string } }>(`${path}/package.json`);
      return engines?.node !== undefined && !satisfies(pinned, engines.node);
    });
    expect(unfit).toEqual([]);
  });
});
