/**
 * The lock determines exactly what is installed, from any registry, and no script runs during the
 * installation unless package.json allows it.
 */
import type { Finding, SourceText } from './source-tree.ts';

interface LockEntry {
  version?: string;
  integrity?: string;
  resolved?: string;
  engines?: object;
  link?: boolean;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
}

type Versions = Record<string, string>;
interface Manifest {
  allowScripts?: Record<string, boolean>;
  dependencies?: Versions;
  devDependencies?: Versions;
  optionalDependencies?: Versions;
}

export function findLockfileProblems(files: readonly SourceText[]): Finding[] {
  const manifestFile = files.find((file) => file.path === 'package.json');
  const lockFile = files.find((file) => file.path === 'package-lock.json');
  if (!manifestFile || !lockFile) return [];
  const manifest = JSON.parse(manifestFile.text) as Manifest;
  const { packages } = JSON.parse(lockFile.text) as { packages: Record<string, LockEntry> };
  const problems = Object.entries(packages)
    .filter(([path]) => path !== '')
    .flatMap(([path, entry]) =>
      checkEntry(path, entry, packages, manifest.allowScripts ?? {}).map(
        (problem) => `${path} ${problem}`,
      ),
    );
  return [
    ...problems.map((problem) => ({ path: 'package-lock.json', line: 1, problem })),
    ...findLoosePins(manifest).map((problem) => ({ path: 'package.json', line: 1, problem })),
    ...findLooseSettings(files),
  ];
}

/** Without it, npm only warns about a script that allowScripts does not list, and runs it. */
function findLooseSettings(files: readonly SourceText[]): Finding[] {
  const settings = files.find((file) => file.path === '.npmrc')?.text.split('\n') ?? [];
  return settings.includes('strict-allow-scripts=true')
    ? []
    : [{ path: '.npmrc', line: 1, problem: 'lacks strict-allow-scripts=true' }];
}

function checkEntry(
  path: string,
  entry: LockEntry,
  packages: Record<string, LockEntry>,
  allowed: Record<string, boolean>,
): string[] {
  const problems: string[] = [];
  if (!entry.integrity?.startsWith('sha512-')) problems.push('has no sha512 integrity');
  if (entry.resolved !== undefined) problems.push('names a host (resolved): every mirror must do');
  if (entry.engines !== undefined)
    problems.push('names engines, which npm compares with its own Node: npm run lock');
  if (entry.hasInstallScript && !(nameOf(path) in allowed))
    problems.push('has an install script and is not decided about in allowScripts');
  const missing = Object.keys(entry.optionalDependencies ?? {}).filter(
    (name) => !resolves(path, name, packages),
  );
  if (missing.length > 0)
    problems.push(
      `wants ${missing.join(', ')}, which the lock lacks: npm ci refuses it on such a machine`,
    );
  return problems;
}

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** As Node looks for it: beside the package, then in each folder above. */
function resolves(from: string, name: string, packages: Record<string, LockEntry>): boolean {
  const steps = from.split('/node_modules/');
  for (let count = steps.length; count >= 0; count -= 1) {
    const base = steps.slice(0, count).join('/node_modules/');
    if (`${base === '' ? '' : `${base}/`}node_modules/${name}` in packages) return true;
  }
  return false;
}

function findLoosePins(manifest: Manifest): string[] {
  const all = {
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  };
  return Object.entries(all)
    .filter(([, version]) => !/^(npm:[@\w/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name} ${version} is not an exact version`);
}
