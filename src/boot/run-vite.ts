import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Runs a build of vite in its own process, so that the compiler's memory is returned. Returns the
 * exit code, null after a signal. Needs the devDependencies that npm ci installs.
 */
export async function runVite(root: string, args: string[]): Promise<number | null> {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const child = spawn(process.execPath, [vite, 'build', ...args, '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
