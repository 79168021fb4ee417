import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../harness/find-program.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Whether all programs are here; otherwise a line says what is not tested. */
export function hasPrograms(names: readonly string[], consequence: string): boolean {
  return report(
    names.filter((name) => findProgram(name) === undefined),
    consequence,
  );
}

/** The same for files of packages that have no program. */
export function hasFiles(paths: readonly string[], consequence: string): boolean {
  return report(
    paths.filter((path) => !existsSync(path)),
    consequence,
  );
}

function report(missing: readonly string[], consequence: string): boolean {
  if (missing.length === 0) return true;
  console.log(`${missing.join(', ')} not installed: ${consequence}.`);
  return false;
}

/** Containers need the rights of root: mounts, networks and control groups. */
export function isRoot(consequence: string): boolean {
  if (process.getuid?.() === 0) return true;
  console.log(`Not root: ${consequence}.`);
  return false;
}

export interface RunOptions {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
  /** Returns the standard error too. */
  withErrors?: boolean;
}

/** The standard output of a program. Throws with all of its output when it fails. */
export function run(
  program: string,
  args: readonly string[],
  { env, input, cwd = root, withErrors = false }: RunOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 },
      (error, out, errors) => {
        if (error === null) return resolve(withErrors ? out + errors : out);
        const text = `${program} ${args.join(' ')} ended with ${error.code}:\n${out}\n${errors}`;
        reject(new Error(text.slice(-8_000)));
      },
    );
    // A program may end without reading it.
    child.stdin?.on('error', () => undefined).end(input ?? '');
  });
}
