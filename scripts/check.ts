/**
 * `npm run check`: every check without a database, in seconds. `--warnings` also prints files and
 * functions that are long but allowed.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { findDrift } from './generated-files.ts';
import { hashTree, listStale, readPassed, writePassed } from './lint-cache.ts';
import { findChangedMigrations, hashMigrations, readReleasedHashes } from './migration-hashes.ts';
import { runRules } from './rules/run-rules.ts';
import { readTree, root } from './rules/source-tree.ts';

interface Outcome {
  isOk: boolean;
  /** Shown when it failed. */
  output: string;
  /** Shown beside the name. */
  note?: string;
}

interface Check {
  name: string;
  run: () => Promise<Outcome>;
  remedy: string;
}

const bin = (name: string) => `${root}node_modules/.bin/${name}`;

const gib = 2 ** 30;
/**
 * Lint and compiler are short-lived Go programs: they need little garbage collection. Lint takes
 * 5 GiB without any, and twice as long when it has to stay below 2.
 */
const goSettings = {
  GOGC: 'off',
  GOMEMLIMIT: `${Math.max(2, Math.floor(process.availableMemory() / 2 / gib))}GiB`,
  GOMAXPROCS: String(Math.min(2, availableParallelism())),
};

const checks: readonly Check[] = [
  {
    name: 'lint',
    run: lint,
    remedy: 'Much of it mends itself: npx oxlint --fix',
  },
  {
    name: 'types',
    run: () => compile('tsconfig.json', 'server'),
    remedy: 'The compiler has the last word.',
  },
  {
    name: 'types of web',
    run: () => compile('web/tsconfig.json', 'web'),
    remedy: 'The compiler has the last word.',
  },
  { name: 'format', run: () => run(bin('oxfmt'), ['--check', '.']), remedy: 'npm run format' },
  {
    name: 'unused code',
    run: () => run(bin('knip'), ['--no-progress']),
    remedy: 'npx knip --fix removes what no file imports; knip.jsonc names the entry points.',
  },
  {
    name: 'rules',
    run: checkRules,
    remedy: 'The rules and their reasons are in scripts/rules and ARCHITECTURE.md.',
  },
  {
    name: 'generated files',
    run: checkDrift,
    remedy: 'npm run generate, then commit what changed.',
  },
  {
    name: 'migrations',
    run: checkMigrations,
    remedy:
      'Add a migration. To change one that was never released, delete its line from ' +
      'src/db/migrations/hashes.json and run npm run generate.',
  },
];

const tree = readTree();
const started = performance.now();
const failed: Check[] = [];
const waiting = [...checks];
await Promise.all(Array.from({ length: Math.max(2, Math.min(4, availableParallelism())) }, work));
console.log(
  failed.length === 0
    ? `All checks passed in ${since(started)}.`
    : `${failed.length} of ${checks.length} checks failed, after ${since(started)}.`,
);
for (const check of failed) console.log(`  ${check.name}: ${check.remedy}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function work(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const begun = performance.now();
    const outcome = await check.run().catch((error: unknown): Outcome => ({
      isOk: false,
      output: String(error instanceof Error ? error.stack : error),
    }));
    console.log(
      `${outcome.isOk ? 'ok    ' : 'FAILED'}  ${check.name.padEnd(16)} ` +
        `${since(begun).padStart(7)}${outcome.note ? `   ${outcome.note}` : ''}`,
    );
    if (outcome.isOk) continue;
    console.log(outcome.output.trimEnd().replace(/^/gm, '        '));
    failed.push(check);
  }
}

function run(command: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...goSettings, ...process.env },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', (error) =>
      resolve({ isOk: false, output: `${command}: ${error.message}. Run npm ci first.` }),
    );
    child.on('close', (code) => resolve({ isOk: code === 0, output }));
  });
}

/** Reads what changed since it last passed, and what depends on that. */
async function lint(): Promise<Outcome> {
  const now = hashTree(tree);
  const stale = listStale(tree, readPassed(), now);
  if (stale?.length === 0) return { isOk: true, output: '', note: 'nothing has changed' };
  // Some of the files may be among those that its settings leave out.
  const options = ['--quiet', '-f', 'unix', '--no-error-on-unmatched-pattern'];
  const outcome = await run(bin('oxlint'), [...options, ...(stale ?? [])]);
  if (outcome.isOk) writePassed(now);
  return stale ? { ...outcome, note: `${stale.length} files that changed or import one` } : outcome;
}

/** Results are cached between runs; `npm ci` clears the cache. */
function compile(project: string, name: string): Promise<Outcome> {
  const known = `${root}node_modules/.cache/toprung/types-${name}.json`;
  return run(bin('tsc'), [
    '-p',
    project,
    '--singleThreaded',
    '--incremental',
    '--tsBuildInfoFile',
    known,
  ]);
}

function checkRules(): Promise<Outcome> {
  const findings = runRules(tree);
  const errors = findings.filter((finding) => !finding.warning);
  const warnings = findings.filter((finding) => finding.warning);
  const shown = process.argv.includes('--warnings') ? [...errors, ...warnings] : errors;
  const output = shown.map(({ path, line, problem }) => `${path}:${line}  ${problem}`).join('\n');
  if (errors.length === 0 && shown.length > 0) console.log(output);
  const note =
    warnings.length > 0 ? `${warnings.length} are long: npm run check -- --warnings` : undefined;
  return Promise.resolve({ isOk: errors.length === 0, output, ...(note && { note }) });
}

async function checkDrift(): Promise<Outcome> {
  const stale = await findDrift();
  return {
    isOk: stale.length === 0,
    output: stale.join('\n'),
  };
}

function checkMigrations(): Promise<Outcome> {
  const changed = findChangedMigrations(readReleasedHashes(), hashMigrations());
  return Promise.resolve({ isOk: changed.length === 0, output: changed.join('\n') });
}

function since(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
