import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findProgram } from './find-program.ts';
import { findFreePort } from './free-port.ts';
import { until } from './load-recorder.ts';
import { locatePostgres } from './locate-postgres.ts';

const program = findProgram('pgbouncer');
/** It refuses to run as root. */
const nobody = 65_534;

/** Whether PgBouncer can be tested here; a line says what is missing. */
export function hasPgBouncer(): boolean {
  if (program !== undefined) return true;
  console.log('pgbouncer is not installed: the product behind a connection pooler is not tested.');
  return false;
}

export type PoolMode = 'session' | 'transaction' | 'statement';

export interface TestPgBouncer {
  /** The same database through the pooler. */
  url: string;
  stop(): Promise<void>;
}

/** PgBouncer with its own defaults before a database, which may be at a Unix socket. */
export async function startPgBouncer(
  databaseUrl: string,
  mode: PoolMode,
  settings: Record<string, string> = {},
): Promise<TestPgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-pgbouncer-'));
  const port = await findFreePort();
  const { url, at } = locatePostgres(databaseUrl);
  const host = 'path' in at ? new URL(databaseUrl).searchParams.get('host')! : '127.0.0.1';
  const serverPort = new URL(databaseUrl).port || '5432';
  const file = join(folder, 'pgbouncer.ini');
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: '90',
    max_client_conn: '200',
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  const database = `* = host=${host} port=${serverPort} user=${url.username || 'postgres'}`;
  await writeFile(file, `[databases]\n${database}\n[pgbouncer]\n${lines.join('\n')}\n`);
  const isRoot = process.getuid?.() === 0;
  await chmod(folder, 0o755);
  // The folder of a server's socket may be open to its own user alone.
  const uid = 'path' in at ? statSync(host).uid : nobody;
  const child = spawn(program!, [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot && { uid, gid: nobody }),
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const pooled = Object.assign(url, { port: String(port) }).href;
  const responds = async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${output}`);
    const client = new pg.Client({ connectionString: pooled, query_timeout: 2_000 });
    client.on('error', () => undefined);
    const isUp = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    return isUp;
  };
  await until(responds, 20_000, 'pgbouncer').catch((error: Error) => {
    throw new Error(`${error.message}: ${output}`);
  });
  return {
    url: pooled,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
