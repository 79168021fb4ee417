import { readFile, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServer } from '#boot/build-server.ts';
import { findServerBuild } from '#boot/find-server-build.js';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { until } from '../harness/load-recorder.ts';
import { startToprung } from '../harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir } from '../harness/product.ts';

const hook = new URL('../harness/list-modules.js', import.meta.url).href;
/** Texts of OpenTelemetry's interfaces and SDK, which a built file that has them contains too. */
const ofOpenTelemetry = /opentelemetry\.js\.api|W3CTraceContextPropagator/;

let db: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  // A start with older files than the sources builds first, and the bundler's files would count.
  // Another process may be building.
  const isBuilt = async () =>
    findServerBuild() !== null || (await buildServer(() => undefined)) !== null;
  await until(isBuilt, 240_000, 'the build of the server');
  [db, dataDir] = await Promise.all([createTestDatabase(), createDataDir()]);
});
afterAll(() => Promise.all([db.drop(), removeDataDir(dataDir)]));

/** The files that a role loads from its start to its end. */
async function listLoaded(
  role: string,
  environment: Record<string, string> = {},
): Promise<string[]> {
  const list = join(dataDir, 'loaded');
  const child = startToprung(['start', '--role', role], {
    ...productEnvironment(dataDir, { baseUrl: 'http://127.0.0.1:1' }),
    DATABASE_URL: db.url,
    LOADED_MODULES: list,
    NODE_OPTIONS: `--import ${hook}`,
    ...environment,
  });
  await child.waitFor(/ API: |worker is up|is up: /);
  await child.kill('SIGTERM');
  const urls = (await readFile(list, 'utf8')).trim().split('\n');
  await rm(list);
  return urls.map((url) => (url.startsWith('file:') ? fileURLToPath(url) : url));
}

async function findOpenTelemetry(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.filter(isAbsolute).map(async (path) => {
      const isPart = path.includes('@opentelemetry') || path.includes('/src/telemetry/');
      return isPart || ofOpenTelemetry.test(await readFile(path, 'utf8')) ? [path] : [];
    }),
  );
  return found.flat().filter((path) => !path.includes('/tests/'));
}

test.each(['api', 'worker', 'web'])(
  'the role %s loads nothing of OpenTelemetry unless it has an endpoint, and no sources',
  async (role) => {
    const loaded = await listLoaded(role);
    expect(loaded.filter((path) => path.includes('/dist/server/')).length).toBeGreaterThan(3);
    expect(await findOpenTelemetry(loaded)).toEqual([]);
    // The support of TypeScript alone takes 40 MB.
    expect(loaded.filter((path) => path.endsWith('.ts'))).toEqual([]);
  },
);

test('OTEL_SDK_DISABLED switches it off whatever the endpoint is', async () => {
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
  expect(await findOpenTelemetry(await listLoaded('web', on))).not.toEqual([]);
  const off = { ...on, OTEL_SDK_DISABLED: 'true' };
  expect(await findOpenTelemetry(await listLoaded('web', off))).toEqual([]);
});
