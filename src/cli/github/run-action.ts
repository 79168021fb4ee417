import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { readClientConfig } from '#config/client-config.ts';
import type { RunnerEnvironment } from '#config/user-environment.ts';
import { CommandError } from '#lib/command-error.ts';
import { formatNames } from '#listing-files/listing.ts';
import { levels } from '#listing-lint/lint-rules.ts';
import { append, examineFolder, write, type Examined } from '../examine-folder.ts';
import { formatReport } from '../lint.ts';
import { escapeCommand } from './escape-command.ts';
import { updateComment } from './update-comment.ts';

const inputs = z.object({
  path: z.string().nullable(),
  tool: z.enum(formatNames).nullable(),
  failOn: z.enum([...levels, 'never']).nullable(),
});

const pullRequest = z.object({
  pull_request: z.object({ number: z.int(), base: z.object({ sha: z.string() }) }),
});
type PullRequest = z.output<typeof pullRequest>['pull_request'];

/** Returns the exit code. Throws CommandError. */
export async function runAction(runner: RunnerEnvironment): Promise<number> {
  const read = inputs.safeParse({
    path: runner.input('path'),
    tool: runner.input('tool'),
    failOn: runner.input('fail-on'),
  });
  if (!read.success) {
    const { path: input, message } = read.error.issues[0]!;
    throw new CommandError(`The input ${input.join('.')} is wrong: ${message}.`);
  }
  const { path, tool, failOn } = read.data;
  const event = await readPullRequest(runner);
  const app = findApp(runner);
  const base = runner.input('base') ?? event?.base.sha;
  const examined = await examineFolder(path ?? '.', {
    ...(tool !== null && { tool }),
    config: runner.input('config') ?? undefined,
    baseline: runner.input('baseline') ?? undefined,
    ...(app !== undefined && { app, base }),
  });
  await report(examined, runner);
  if (event && examined.coverage) await comment(examined.coverage, event, runner, path ?? '.');
  const failing = failOn === 'never' ? -1 : levels.indexOf(failOn ?? 'error');
  return examined.findings.some(({ level }) => levels.indexOf(level) <= failing) ? 1 : 0;
}

/** Pull requests of forks have no secrets: the rules that need no server run all the same. */
function findApp(runner: RunnerEnvironment): string | undefined {
  const app = runner.input('app') ?? undefined;
  const { TOPRUNG_URL, TOPRUNG_TOKEN } = readClientConfig();
  if (app === undefined || (TOPRUNG_URL !== null && TOPRUNG_TOKEN !== null)) return app;
  console.log(
    '::notice::Tracked phrases are not compared: the inputs url and token are empty, as they are ' +
      'for pull requests from forks.',
  );
  return undefined;
}

async function report(examined: Examined, runner: RunnerEnvironment): Promise<void> {
  const { findings, coverage } = examined;
  const { summarize } = await import('#listing-lint/reports/report-github.ts');
  const { summarizeCoverage } = await import('#listing-lint/reports/report-coverage.ts');
  const annotations = await formatReport(examined, 'github');
  if (annotations !== '') console.log(annotations);
  if (runner.summaryFile !== null)
    await append(
      runner.summaryFile,
      summarize(findings) + (coverage ? `\n${summarizeCoverage(coverage)}` : ''),
    );
  for (const [input, form] of [
    ['sarif', 'sarif'],
    ['report', 'json'],
  ] as const) {
    const file = runner.input(input);
    if (file !== null) await write(file, `${await formatReport(examined, form)}\n`);
  }
  if (runner.outputFile === null) return;
  const count = (level: string) => findings.filter((one) => one.level === level).length;
  const sum = (kind: 'gained' | 'lost') =>
    (coverage ?? []).reduce((all, one) => all + one[kind].length, 0);
  const outputs = {
    errors: count('error'),
    warnings: count('warning'),
    notes: count('info'),
    gained: sum('gained'),
    lost: sum('lost'),
  };
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  await append(runner.outputFile, lines.join(''));
}

async function readPullRequest(runner: RunnerEnvironment): Promise<PullRequest | null> {
  const { eventName, eventPath } = runner;
  if (eventPath === null || !['pull_request', 'pull_request_target'].includes(eventName ?? ''))
    return null;
  try {
    return pullRequest.parse(JSON.parse(await readFile(eventPath, 'utf8'))).pull_request;
  } catch {
    throw new CommandError('The file of GITHUB_EVENT_PATH is not the event of a pull request.');
  }
}

/** A comment that cannot be written is a warning: the findings are reported already. */
async function comment(
  coverage: NonNullable<Examined['coverage']>,
  { number }: PullRequest,
  runner: RunnerEnvironment,
  folder: string,
): Promise<void> {
  const token = runner.input('github-token');
  const { apiUrl, repository } = runner;
  if (runner.input('comment') === 'false' || token === null || apiUrl === null) return;
  if (repository === null || !/^[\w.-]+\/[\w.-]+$/.test(repository)) return;
  const { summarizeCoverage } = await import('#listing-lint/reports/report-coverage.ts');
  const isChanged = coverage.some(({ gained, lost }) => gained.length + lost.length > 0);
  try {
    await updateComment({ apiUrl, repository, token, number }, folder, {
      text: summarizeCoverage(coverage),
      isNeeded: isChanged,
    });
  } catch (error) {
    console.log(
      `::warning::The coverage was not commented: ${escapeCommand((error as Error).message)}`,
    );
  }
}
