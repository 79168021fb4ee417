import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Client } from '#client/http.ts';
import { createToken } from '#domain/accounts/tokens/tokens.ts';
import { readerOf } from '#tests/harness/history.ts';
import { startToprung, type Child } from '#tests/harness/process.ts';
import { removeDataDir } from '#tests/harness/product.ts';
import type { BenchDatabase } from './database.ts';
import { growthDay, openGrowthDatabase } from './growth-database.ts';
import { percentile, type Measurement } from './measurement.ts';

const idleSeconds = 20;
const pauseMs = 20;
const workspaceId = 700;
const megabyte = 2 ** 20;

/**
 * A backup of a large instance by command, while its API is read, and what brings it back: time,
 * memory, size, and how much longer requests take meanwhile.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-bench-backup-'));
  const database = await openGrowthDatabase('huge');
  const path = join(folder, 'huge.backup');
  const restored = join(folder, 'restored');
  const onServer = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'secrets') };
  try {
    const api = await startReads(database, onServer);
    await api.readFor(sleep(5_000));
    const idle = await api.readFor(sleep(idleSeconds * 1_000));
    const backup = runMeasured(['backup', '--to', path], onServer);
    const beside = await api.readFor(backup);
    await api.stop();
    const made = await backup;
    yield figure('rows in the backup', Number(/(\d+) rows/.exec(made.output)![1]) / 1e6, 'M');
    yield* figuresOf('a backup', made);
    const { size } = await stat(path);
    yield figure('  its size', size / megabyte, 'MiB');
    yield figure('  its share of the database', (100 * size) / (await readBytes(database)), '%');
    const [before, after] = [percentile(idle, 0.95), percentile(beside, 0.95)];
    yield figure('a read while idle, p95', before, 'ms');
    yield figure('a read during a backup, p95', after, 'ms');
    yield figure('  its ratio to a read while idle', after / before, '×', 1.5);
    yield* figuresOf('a restore', await runMeasured(['restore', path], { DATA_DIR: restored }));
    yield* figuresOf('a verification', await runMeasured(['verify', path], { DATA_DIR: restored }));
  } finally {
    await database.close();
    await removeDataDir(restored).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

const figure = (
  name: string,
  measured: number,
  unit: string,
  goal: number | null = null,
): Measurement => ({ name, scale: 'huge', measured, unit, goal });

/** Seconds of the command's processor do not depend on what else the machine does. */
function figuresOf(name: string, { seconds, cpuSeconds, maxRssMb }: Measured): Measurement[] {
  return [
    figure(name, seconds, 's'),
    figure('  processor time of the command', cpuSeconds, 's'),
    figure('  largest memory', maxRssMb, 'MB', 200),
  ];
}

interface Reads {
  /** The sorted milliseconds of reads, one after the other, until the promise resolves. */
  readFor(end: Promise<unknown>): Promise<number[]>;
  stop(): Promise<void>;
}

async function startReads(
  database: BenchDatabase,
  environment: Record<string, string>,
): Promise<Reads> {
  const ctx = readerOf(database, workspaceId, `${growthDay}T12:00:00Z`);
  await database.pool.query("delete from tokens where name = 'bench'");
  const actor = { ...ctx.actor, userId: workspaceId };
  const { secret: token } = await createToken({ ...ctx, actor }, { name: 'bench', readOnly: true });
  const child = startToprung(['start', '--role', 'api'], { ...environment, API_PORT: '0' });
  const announced = / API: +(http\S+)/;
  await child.waitFor(announced);
  const baseUrl = announced.exec(child.output())![1]!;
  const client = createClient({ baseUrl, token });
  const { rows } = await database.pool.query(
    'select min(id) as id from apps where workspace_id = $1',
    [workspaceId],
  );
  const { id: appId } = rows[0] as { id: number };
  return {
    readFor: (end) => readUntil(end, client, appId),
    stop: () => child.kill('SIGTERM'),
  };
}

async function readUntil(end: Promise<unknown>, client: Client, appId: number): Promise<number[]> {
  let isOver = false;
  void end.finally(() => (isOver = true));
  const taken: number[] = [];
  while (!isOver) {
    const start = performance.now();
    if (taken.length % 2 === 0) await client('GET /rankings/latest', {});
    else await client('GET /apps/{id}/keywords', { params: { id: appId } });
    taken.push(performance.now() - start);
    await sleep(pauseMs);
  }
  return taken.toSorted((a, b) => a - b);
}

async function readBytes({ pool }: BenchDatabase): Promise<number> {
  const { rows } = await pool.query('select pg_database_size(current_database()) as bytes');
  return Number((rows[0] as { bytes: bigint }).bytes);
}

interface Measured {
  seconds: number;
  cpuSeconds: number;
  maxRssMb: number;
  output: string;
}

/** Runs a command to its end. The system knows the largest memory of a process until it ends. */
async function runMeasured(args: string[], environment: Record<string, string>): Promise<Measured> {
  const begun = performance.now();
  const child = startToprung(args, environment);
  let [maxRssMb, cpuSeconds] = [0, 0];
  let isOver = false;
  const exited = child.exited.finally(() => (isOver = true));
  while (!isOver) {
    maxRssMb = Math.max(maxRssMb, await readPeak(child));
    cpuSeconds = Math.max(cpuSeconds, await readCpuSeconds(child));
    await sleep(20);
  }
  const { code } = await exited;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${child.output()}`);
  const seconds = (performance.now() - begun) / 1_000;
  return { seconds, cpuSeconds, maxRssMb, output: child.output() };
}

async function readPeak({ pid }: Child): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024;
}

/** Linux counts hundredths of a second. */
async function readCpuSeconds({ pid }: Child): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}
