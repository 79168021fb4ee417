import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readCommit } from '#listing-files/read-commit.ts';
import { insertApp } from '../api/keywords.fixtures.ts';
import type { Account } from '../harness/api.ts';
import { startMcpTestApp, type McpTestApp } from '../mcp/mcp-test-app.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let testApp: McpTestApp;
let me: Account;
let appId: number;
let secret: string;
/** A clone with an earlier commit of the texts. */
let repository: string;
let baseCommit: string;
let action: string;
const folders: string[] = [];

beforeAll(async () => {
  testApp = await startMcpTestApp();
  me = await testApp.api.signUp();
  ({ id: appId } = await insertApp(testApp.api, me));
  ({ secret } = await testApp.api.token(me, { readOnly: true }));
  await testApp.api.ok(
    'POST /apps/{id}/keywords',
    {
      params: { id: appId },
      body: {
        phrases: ['habit tracker', 'daily planner', 'mood *journal*', 'goals for sleep'],
        countries: ['us'],
      },
    },
    me,
  );
  repository = await makeFolder();
  const texts = (name: string, keywords: string) =>
    writeFiles({
      'fastlane/metadata/en-US/name.txt': `${name}\n`,
      'fastlane/metadata/en-US/keywords.txt': `${keywords}\n`,
    });
  git('init', '-q', '-b', 'main');
  await texts('Habit Tracker', 'mood,journal,lumen');
  baseCommit = commit();
  await texts('Daily Planner', 'goals,sleep,lumen,tracker');
  commit();
  action = await makeFolder();
  // The runner has the action's own checkout, with its packages installed.
  await cp(join(root, 'action.yml'), join(action, 'action.yml'));
  for (const name of ['src', 'package.json', 'node_modules', 'simulator'])
    await symlink(join(root, name), join(action, name));
});
afterAll(async () => {
  await testApp.close();
  for (const server of github) server.close();
  for (const folder of folders) await rm(folder, { recursive: true });
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-action-'));
  folders.push(folder);
  return folder;
}

async function writeFiles(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(repository, name)), { recursive: true });
    await writeFile(join(repository, name), text);
  }
}

const person = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
const git = (...args: string[]): string =>
  spawnSync('git', [...person, ...args], { cwd: repository, encoding: 'utf8' }).stdout.trim();
function commit(): string {
  git('add', '-A');
  git('commit', '-q', '-m', 'Texts');
  return git('rev-parse', 'HEAD');
}

interface Comment {
  id: number;
  body: string;
  user: { type: string };
}
const github: Server[] = [];
let comments: Comment[] = [];
let githubStatus = 200;
let githubUrl = '';

/** The part of GitHub's API that the action uses. */
beforeEach(async () => {
  comments = [{ id: 1, body: '<!-- toprung-coverage -->', user: { type: 'User' } }];
  githubStatus = 200;
  const server = createServer((request, response) => {
    void respondAsGithub(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  github.push(server);
  githubUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

async function respondAsGithub(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const part of request) text += String(part);
  const { body } = JSON.parse(text || '{}') as { body?: string };
  const isOwn = request.headers.authorization === 'Bearer github-secret';
  const path = request.url!.split('?')[0]!;
  if (githubStatus !== 200 || !isOwn) response.writeHead(githubStatus === 200 ? 401 : githubStatus);
  else if (request.method === 'POST' && path === '/repos/acme/app/issues/7/comments')
    comments.push({ id: comments.length + 1, body: body!, user: { type: 'Bot' } });
  else if (request.method === 'PATCH')
    comments.find(({ id }) => path === `/repos/acme/app/issues/comments/${id}`)!.body = body!;
  response.end(JSON.stringify(request.method === 'GET' ? comments : {}));
}

interface Action {
  inputs: Record<string, { default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: { id: string; env: Record<string, string>; run: string; shell: string }[] };
}

/** Runs the steps of action.yml as the runner does. */
async function runAction(given: Record<string, string> = {}, event: object | null = pullRequest()) {
  const { inputs, outputs, runs } = parse(
    await readFile(join(action, 'action.yml'), 'utf8'),
  ) as Action;
  const files = await makeFolder();
  const [outputFile, summaryFile, eventPath] = ['output', 'summary', 'event.json'].map((name) =>
    join(files, name),
  ) as [string, string, string];
  await writeFile(eventPath, JSON.stringify(event));
  const steps: Record<string, Record<string, string>> = {};
  const evaluate = (text: string): string =>
    text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_whole, name: string) => {
      if (name === 'github.action_path') return action;
      if (name === 'github.token') return 'github-secret';
      const [scope, key, , output] = name.split('.') as [string, string, string, string];
      if (scope === 'steps') return steps[key]?.[output] ?? '';
      if (scope === 'inputs' && inputs[key])
        return given[key] ?? evaluate(inputs[key].default ?? '');
      throw new Error(`The runner does not know ${name}.`);
    });
  let out = '';
  let code = 0;
  for (const step of runs.steps) {
    if (code !== 0) break;
    await writeFile(outputFile, '');
    const child = spawn(step.shell, ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: repository,
      env: {
        PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
        HOME: files,
        ...foreign,
        GITHUB_EVENT_NAME: event ? 'pull_request' : 'push',
        GITHUB_EVENT_PATH: eventPath,
        GITHUB_OUTPUT: outputFile,
        GITHUB_STEP_SUMMARY: summaryFile,
        GITHUB_REPOSITORY: 'acme/app',
        GITHUB_API_URL: githubUrl,
        ...Object.fromEntries(
          Object.entries(step.env).map(([name, text]) => [name, evaluate(text)]),
        ),
      },
    });
    child.stdout.on('data', (text: Buffer) => (out += text.toString()));
    child.stderr.on('data', (text: Buffer) => (out += text.toString()));
    [code] = (await once(child, 'close')) as [number];
    const lines = (await readFile(outputFile, 'utf8')).split('\n').filter((line) => line !== '');
    steps[step.id] = Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
  }
  return {
    code,
    out,
    summary: await readFile(summaryFile, 'utf8').catch(() => ''),
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, { value }]) => [name, evaluate(value)]),
    ),
  };
}

/** Variables of the user's own job, which are not ours. */
const foreign = { DATABASE_URL: 'mysql://app@db/app', LOG_LEVEL: 'verbose', PUBLIC_URL: '/app' };

const pullRequest = () => ({ pull_request: { number: 7, base: { sha: baseCommit } } });
const connected = () => ({ url: testApp.url, token: secret, app: String(appId) });

test('a pull request gets annotations, a summary, outputs and one updated comment', async () => {
  const first = await runAction(connected());
  expect(first.out).toContain(
    '::warning file=fastlane/metadata/en-US/keywords.txt,line=1,title=tracked-word-missing::"habit"',
  );
  expect(first.out).toContain('title=keyword-without-phrase::"lumen"');
  expect(first).toMatchObject({ code: 0, outputs: { errors: '0', gained: '2', lost: '2' } });
  expect(first.summary).toContain('| us | 2 | 2 | 4 | daily planner<br>goals for sleep |');
  expect(comments).toHaveLength(2);
  expect(comments[1]!.body).toContain('habit tracker');
  // A phrase is a text, not Markdown.
  expect(comments[1]!.body).not.toContain('*journal*');
  comments[1]!.body = comments[1]!.body.replace('habit', 'older');
  await runAction(connected());
  expect(comments).toHaveLength(2);
  expect(comments[1]!.body).toContain('habit tracker');
  expect([first.out, first.summary].join()).not.toMatch(new RegExp(`${secret}|github-secret`));
});

test('a change of no coverage makes no comment, and a refused comment fails nothing', async () => {
  await runAction({ ...connected(), base: 'HEAD' });
  expect(comments).toHaveLength(1);
  githubStatus = 403;
  const refused = await runAction(connected());
  expect(refused).toMatchObject({
    code: 0,
    out: expect.stringMatching(/::warning::.*pull-requests: write/),
  });
});

test('a fork without secrets gets the findings, and a failing level fails the step', async () => {
  const fork = await runAction({ ...connected(), url: '', token: '', 'fail-on': 'info' });
  expect(fork).toMatchObject({ code: 1, out: expect.stringContaining('pull requests from forks') });
  expect(fork.summary).toContain('Listing texts');
  expect(comments).toHaveLength(1);
  const unknown = await runAction({ path: 'nowhere' }, null);
  expect(unknown).toMatchObject({ code: 2, out: expect.stringContaining('::error::') });
  const shallow = await runAction({ ...connected(), base: 'f'.repeat(40) });
  expect(shallow).toMatchObject({ code: 2, out: expect.stringContaining('fetch-depth: 0') });
});

const lint = (base: string, folder = 'fastlane/metadata') =>
  new Promise<{ code: number | null; out: string; error: string }>((resolve) => {
    const child = spawn(
      process.execPath,
      [
        join(root, 'src/cli/main.js'),
        'lint',
        folder,
        '--app',
        String(appId),
        `--base=${base}`,
        '--format',
        'json',
      ],
      {
        cwd: repository,
        env: {
          PATH: process.env.PATH!,
          ...foreign,
          TOPRUNG_URL: testApp.url,
          TOPRUNG_TOKEN: secret,
        },
      },
    );
    const ran = { out: '', error: '' };
    child.stdout.on('data', (text: Buffer) => (ran.out += text.toString()));
    child.stderr.on('data', (text: Buffer) => (ran.error += text.toString()));
    child.on('close', (code) => resolve({ code, ...ran }));
  });

test('the command compares with a folder too, and a commit is never an option', async () => {
  const same = await lint('fastlane/metadata');
  const { coverage } = JSON.parse(same.out) as { coverage: object[] };
  expect(coverage).toEqual([
    { country: 'us', total: 4, before: 2, after: 2, gained: [], lost: [] },
  ]);
  expect(await lint('--output=x')).toMatchObject({
    code: 2,
    error: expect.stringContaining('no commit'),
  });
});

test('a commit has the listings that the folder would have, matched by their path', async () => {
  const before = git('rev-parse', 'HEAD');
  const texts = 'Goals for sleep\n';
  await writeFiles({
    '.cache/fastlane/metadata/en-US/name.txt': texts,
    '.cache/fastlane/metadata/en-US/keywords.txt': 'other\n',
    'a/fastlane/metadata/en-US/name.txt': texts,
    'a/fastlane/metadata/en-US/keywords.txt': 'other\n',
  });
  git('add', '-Af');
  commit();
  try {
    const all = await readCommit(repository, 'HEAD');
    expect(all.map(({ listing }) => listing.root)).toEqual([
      'a/fastlane/metadata',
      'fastlane/metadata',
    ]);
    // The change removes one of two listings of the tool.
    await rm(join(repository, 'a'), { recursive: true });
    const { out } = await lint('HEAD', '.');
    expect(JSON.parse(out)).toMatchObject({
      coverage: [{ before: 2, after: 2, gained: [], lost: [] }],
    });
  } finally {
    git('reset', '-q', '--hard', before);
  }
});

test('a repository that git refuses is not taken for a shallow clone', async () => {
  const bare = await makeFolder();
  await expect(readCommit(bare, 'HEAD')).rejects.toThrow(
    /^git rev-parse failed: fatal: not a git repository[^\n]+$/,
  );
});
