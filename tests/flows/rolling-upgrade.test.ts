import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import { createRowMover } from '#boot/backups/row-mover.ts';
import { startPostgres, type EmbeddedPostgres } from '#embedded-postgres/launch.ts';
import { silentLogger } from '#lib/logger.ts';
import {
  archivePath,
  installOldBinaries,
  listReleases,
  signInAt,
  unpackDataDir,
} from '../boot/releases.fixtures.ts';
import { carelessFlags, silentLog } from '../harness/cluster.ts';
import { until } from '../harness/load-recorder.ts';
import { checkOutRelease, type PreviousRelease } from '../harness/previous-release.ts';
import { createDataDir, productEnvironment, removeDataDir } from '../harness/product.ts';
import { reportFigures } from '../harness/progress.ts';
import { startRole, type RunningRole } from '../harness/start-role.ts';
import type { Child } from '../harness/process.ts';

const scale = process.env.TORTURE ? { clients: 8, requests: 5_000 } : { clients: 4, requests: 80 };
const noStores = { baseUrl: 'http://127.0.0.1:9' };
/** They ask a store, serve files, or count requests of an address. */
const leftOut = /^\/(store|docs|admin\/queues|feed|auth\/state)/;

const release = (await listReleases()).at(-1)!;
const previous = await checkOutRelease(release);

describe.skipIf(previous === null)(`an API of ${release.version} beside this version`, () => {
  // Also described where it is skipped.
  const { start, remove } = previous ?? ({} as PreviousRelease);
  let dataDir: string;
  let server: EmbeddedPostgres;
  let environment: Record<string, string>;
  let old: Child;
  let present: RunningRole | null = null;

  beforeAll(async () => {
    dataDir = await createDataDir();
    await unpackDataDir(archivePath(release.version), dataDir);
    await installOldBinaries(release, dataDir);
    const mover = createRowMover(silentLogger, () => undefined);
    server = await startPostgres({ dataDir, log: silentLog, flags: carelessFlags, mover });
    environment = {
      ...productEnvironment(dataDir, noStores, { LOG_LEVEL: 'fatal' }),
      DATABASE_URL: server.superuserUrl('toprung'),
    };
    old = start(['start', '--role', 'api'], environment);
    await old.waitFor(/ API: +http\S+/);
  });
  afterAll(async () => {
    await old.kill('SIGKILL');
    await present?.stop();
    await server.stop();
    await removeDataDir(dataDir);
    await remove();
  });

  test('fails no request while the schema is migrated and after it', async () => {
    const baseUrl = / API: +(\S+)/.exec(old.output())![1]!;
    const caller = await signInAt(baseUrl, release);
    const reads = await listReads(caller);
    expect(reads.length).toBeGreaterThan(50);
    const before = await countMigrations();
    const load = startRequests(caller, reads);
    await until(() => load.sent() > scale.requests, 120_000, 'requests before the migration');
    present = await startRole('api', environment);
    const migrated = (await countMigrations()) - before;
    const sent = load.sent();
    await until(() => load.sent() > sent + scale.requests, 120_000, 'requests after it');
    await load.stop();
    reportFigures(19, {
      'migrations under an older API': migrated,
      'its routes': reads.length,
      'its requests': load.sent(),
      'its failed requests': load.failed.length,
    });
    expect(load.failed).toEqual([]);
  }, 300_000);

  async function countMigrations(): Promise<number> {
    const client = new pg.Client({ connectionString: server.superuserUrl('toprung') });
    await client.connect();
    const { rowCount } = await client.query('select from migrations');
    await client.end();
    return rowCount!;
  }
});

type Caller = Awaited<ReturnType<typeof signInAt>>;

async function request({ baseUrl, token }: Caller, path: string, body?: object): Promise<number> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: body ? 'PATCH' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Every read of its API that needs no other id than that of an app, and responds with 200. */
async function listReads(caller: Caller): Promise<string[]> {
  const headers = { authorization: `Bearer ${caller.token}` };
  const read = async <T>(path: string) =>
    (await (await fetch(`${caller.baseUrl}${path}`, { headers })).json()) as T;
  const { paths } = await read<{ paths: Record<string, object> }>('/docs-json');
  const { items } = await read<{ items: { id: number }[] }>('/apps');
  const candidates = Object.entries(paths)
    .filter(([path, operations]) => 'get' in operations && !leftOut.test(path))
    .map(([path]) => path.replace('/apps/{id}', `/apps/${items[0]!.id}`))
    .filter((path) => !path.includes('{'));
  const statuses = await Promise.all(candidates.map((path) => request(caller, path)));
  return candidates.filter((_, index) => statuses[index] === 200);
}

/** Every fourth request writes. */
function startRequests(
  caller: Caller,
  reads: readonly string[],
): { sent(): number; failed: string[]; stop(): Promise<void> } {
  const failed: string[] = [];
  let isOver = false;
  let sent = 0;
  const loops = Array.from({ length: scale.clients }, async () => {
    while (!isOver) {
      const number = (sent += 1);
      const isWrite = number % 4 === 0;
      const path = isWrite ? '/workspace' : reads[number % reads.length]!;
      const body = isWrite ? { name: `Northlight ${number}` } : undefined;
      const status = await request(caller, path, body).catch((error: Error) => error.message);
      if (status !== 200) failed.push(`${path}: ${status}`);
    }
  });
  return {
    sent: () => sent,
    failed,
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
    },
  };
}
