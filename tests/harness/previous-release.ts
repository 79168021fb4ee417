import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { KeptRelease } from '../boot/releases.fixtures.ts';
import { startProgram, type Child } from './process.ts';

const runFile = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

export interface PreviousRelease {
  start(args: string[], environment: Record<string, string>): Child;
  remove(): Promise<void>;
}

/**
 * The sources of a release, from the history of this checkout, with the packages of this version.
 * Null, with a line that says why, where one of them is missing or they do not fit.
 */
export async function checkOutRelease(release: KeptRelease): Promise<PreviousRelease | null> {
  const skip = (reason: string) => {
    console.log(`The release ${release.version} is not run beside this version: ${reason}.`);
    return null;
  };
  const folder = await mkdtemp(join(tmpdir(), 'toprung-test-release-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, 'sources.tar');
    const trusted = ['-c', 'safe.directory=*', '-C', root];
    await runFile('git', [...trusted, 'archive', '-o', archive, release.commit]);
    await runFile('tar', ['-C', folder, '-xf', archive]);
  } catch {
    await remove();
    return skip('git has no history back to it');
  }
  const [needed, present] = [await readDependencies(folder), await readDependencies(root)];
  // Packages that this version has besides are in nobody's way.
  if (Object.entries(needed).some(([name, version]) => present[name] !== version)) {
    await remove();
    return skip('it needs other versions of packages');
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const program = join(folder, 'release.js');
  // Without the build that `src/cli/main.js` makes first.
  await writeFile(program, "import { run } from './src/cli/program.ts';\nawait run();\n");
  return { remove, start: (args, environment) => startProgram(program, args, environment) };
}

async function readDependencies(folder: string): Promise<Record<string, string>> {
  const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return dependencies;
}
