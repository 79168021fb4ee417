import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildOpenApi } from '#api/openapi.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { until } from '../harness/load-recorder.ts';
import { startWorld, type World } from '../harness/openapi-world.ts';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const run = promisify(execFile);
const node = (file: string, args: string[]) =>
  run(process.execPath, [join(modules, file), ...args], { cwd: folder });
let world: World;
let folder: string;

/** An external program: it uses only the types that were generated from the document. */
const program = `
import { readFile, writeFile } from 'node:fs/promises';
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './schema.d.ts';

const [phase, baseUrl, hookUrl] = process.argv.slice(2) as [string, string, string];

function must<T>(result: { data?: T; error?: unknown; response: Response }): T {
  if (result.data === undefined) throw new Error(result.response.status + ' ' +
    JSON.stringify(result.error));
  return result.data;
}

async function begin() {
  const visitor = createClient<paths>({ baseUrl, headers: { 'sec-fetch-site': 'same-origin' } });
  const credentials = { email: 'script@example.org', password: 'a long enough password' };
  const signedUp = await visitor.POST('/auth/sign-up', { body: credentials });
  must(signedUp);
  const cookie = signedUp.response.headers.getSetCookie()[0]!.split(';')[0]!;
  const { token } = must(await visitor.POST('/tokens', { headers: { cookie },
    body: { name: 'script', readOnly: false } }));
  const api = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } });
  const { app } = must(await api.POST('/apps', { body: { store: 'ios',
    storeAppId: '1500000001' } }));
  const path = { id: app.id };
  const added = must(await api.POST('/apps/{id}/keywords', { params: { path },
    body: { phrases: ['habit tracker', 'mood journal'], countries: ['us'] } }));
  const budget: number = added.budgetDelta.searchesPerDay;
  const webhook = must(await api.POST('/webhooks', { body: { url: hookUrl,
    events: ['metadata.changed'], enabled: true } }));
  const tested = must(await api.POST('/webhooks/{id}/test', { params: { path: { id: webhook.id } },
    body: { type: 'metadata.changed' } }));
  const { job } = must(await api.POST('/apps/{id}/run-daily', { params: { path } }));
  let state: components['schemas']['JobState'] = job.state;
  while (state === 'queued' || state === 'running') state = must(await api.GET('/jobs/{jobId}',
    { params: { path: { jobId: job.id } } })).state;
  const refused = await api.GET('/apps/{id}', { params: { path: { id: 2_000_000_000 } } });
  const code: 'not_found' | undefined = refused.error?.code === 'not_found' ? refused.error.code :
    undefined;
  await writeFile('state.json', JSON.stringify({ token, id: app.id }));
  return { keywords: added.added.length, budget, tested: tested.state, state, code,
    secret: typeof webhook.secret };
}

async function goOn() {
  const { token, id } = JSON.parse(await readFile('state.json', 'utf8')) as
    { token: string; id: number };
  const api = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } });
  const { items } = must(await api.GET('/apps/{id}/rankings', { params: { path: { id }, query: {
    limit: 100 } } }));
  const cells = items.map((cell) => ('position' in cell ? { position: cell.position,
    depth: cell.depth } : null));
  const events = must(await api.GET('/events', { params: { query: { type: 'metadata.changed',
    order: 'asc' } } })).items;
  const fields = events.flatMap((event) => (event.type === 'metadata.changed' ?
    event.data.changes.map((change) => change.field) : []));
  const csv = await api.GET('/apps/{id}/exports/{kind}', {
    params: { path: { id, kind: 'rankings' }, query: { format: 'csv' } },
    parseAs: 'text',
  });
  return { cells, fields, csv: String(csv.data).split('\\r\\n').filter(Boolean).length };
}

/** What a receiver would write: the type says what is in the data. */
export function receive(body:
  webhooks['rank.dropped']['post']['requestBody']['content']['application/json']): number | null {
  return body.data.to.position;
}

console.log(JSON.stringify(await (phase === 'begin' ? begin() : goOn())));
`;

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: 'es2024',
  module: 'nodenext',
  allowImportingTsExtensions: true,
  types: ['node'],
  // The generated file is checked too, and nothing of other packages.
  skipLibCheck: false,
};

beforeAll(async () => {
  world = await startWorld();
  folder = await mkdtemp(join(tmpdir(), 'toprung-client-'));
  await symlink(modules, join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(buildOpenApi()));
  await node('openapi-typescript/bin/cli.js', ['openapi.json', '-o', 'schema.d.ts']);
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

async function compile(text: string): Promise<string> {
  await writeFile(join(folder, 'program.ts'), text);
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['program.ts', 'schema.d.ts'] }),
  );
  return node('tsgo/bin/tsc', ['-p', '.']).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

async function start(phase: string): Promise<unknown> {
  const args = ['program.ts', phase, world.api.url, `${world.receiver.url}/script`];
  const { stdout } = await run(process.execPath, args, { cwd: folder });
  return JSON.parse(stdout);
}

test('a client by a public generator compiles under strict and types the contract', async () => {
  expect(await compile(program)).toBe('');
  const wrong = program
    .replace("store: 'ios'", "shop: 'ios'")
    .replace("events: ['metadata.changed']", "events: ['metadata.altered']")
    .replace('body.data.to.position', 'body.data.reviewId');
  const faults = await compile(wrong);
  for (const word of ['shop', 'metadata.altered', 'reviewId']) expect(faults).toContain(word);
});

test('a generated client signs up, adds, runs, reads, subscribes and exports', async () => {
  const { pipeline, receiver } = world;
  await writeFile(join(folder, 'program.ts'), program);
  let isOver = false;
  const begun = start('begin').finally(() => (isOver = true));
  while (!isOver) await pipeline.tick();
  expect(await begun).toEqual({
    keywords: 2,
    budget: 2,
    tested: 'succeeded',
    state: 'succeeded',
    code: 'not_found',
    secret: 'string',
  });
  const today = utcDayOf(pipeline.clock.now());
  pipeline.simulator.addOverrides({
    releases: [
      {
        store: 'ios',
        storeAppId: '1500000001',
        day: addDays(today, 2),
        fields: { title: 'Lumen, as generated' },
      },
    ],
  });
  await pipeline.runDay(addDays(today, 1));
  await pipeline.runDay(addDays(today, 2));
  const isReported = async () => {
    pipeline.clock.advance(10_000);
    await pipeline.tick();
    return (
      (await pipeline.db.pool.query("select 1 from events where type = 'metadata.changed'")).rows
        .length > 0
    );
  };
  await until(isReported, 30_000, 'the change to become an event');
  const seen = (await start('go-on')) as {
    cells: { position: number | null; depth: number }[];
    fields: string[];
    csv: number;
  };
  expect(seen.cells.length).toBe(6);
  expect(seen.fields).toContain('name');
  expect(seen.csv).toBe(seen.cells.length + 1);
  const truth = pipeline.simulator.groundTruth({
    store: 'ios',
    phrase: 'habit tracker',
    country: 'us',
    storeAppId: '1500000001',
  });
  expect(seen.cells.map(({ position }) => position)).toContain(truth.position);
  expect(receiver.requests.filter(({ path }) => path === '/script').length).toBeGreaterThanOrEqual(
    1,
  );
});
