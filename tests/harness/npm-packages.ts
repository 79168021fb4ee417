import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface ProgramResult {
  code: number;
  out: string;
  errors: string;
}

export interface NpmPackages {
  folder: string;
  /** Runs a file of a package, such as `orval/dist/bin/orval.js`, in the folder. */
  run(file: string, args: readonly string[]): Promise<ProgramResult>;
  remove(): Promise<void>;
}

/** Errors of npm without a connection to the registry, or one that it trusts. */
const unreachable = new RegExp(
  'npm error code (' +
    'E(AI_AGAIN|CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|NOTFOUND|TIMEDOUT)|' +
    'ERR_SOCKET_TIMEOUT|E(401|403|407|429|5\\d\\d)|' +
    '\\w*SELF_SIGNED_CERT\\w*|UNABLE_TO_\\w+|CERT_\\w+)\\b',
);
/** How npm reaches the registry; its other variables name this checkout. */
const connection = /^npm_config_(globalconfig|registry|cafile|proxy|https_proxy|noproxy)$/i;

/**
 * Installs exact versions into a temporary folder, for programs that are too large or too many for
 * package.json. Null when the registry cannot be reached: the caller skips its tests.
 */
export async function installPackages(
  dependencies: Readonly<Record<string, string>>,
): Promise<NpmPackages | null> {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-packages-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const manifest = { private: true, type: 'module', dependencies };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  const npm = ['install', ...flags, '--fetch-retries=1', '--loglevel=error'];
  const { code, errors } = await runProgram('npm', npm, folder, process.env.HOME);
  if (code === 0) return { folder, remove, run: (file, args) => runIn(folder, file, args) };
  await remove();
  if (!unreachable.test(errors)) throw new Error(`npm install ended with ${code}:\n${errors}`);
  console.log('The npm registry cannot be reached, so tests that install packages are skipped.');
  return null;
}

function runIn(folder: string, file: string, args: readonly string[]): Promise<ProgramResult> {
  const path = resolve(folder, 'node_modules', file);
  // What it writes into the home directory is removed with the folder.
  return runProgram(process.execPath, [path, ...args], folder, folder);
}

function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  home = tmpdir(),
): Promise<ProgramResult> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) || connection.test(name),
  );
  const env = { ...Object.fromEntries(own), HOME: home, DO_NOT_TRACK: '1', NO_COLOR: '1' };
  return new Promise((done) => {
    execFile(program, args, { cwd, env, maxBuffer: 2 ** 26 }, (error, out, errors) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      done({ code, out, errors: errors === '' && error ? error.message : errors });
    });
  });
}
