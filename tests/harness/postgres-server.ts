import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findBinaries, findBinaryPackage } from '#embedded-postgres/binaries.ts';
import { serverEnvironment } from '#embedded-postgres/cluster.ts';
import { clusterName, findServerLocation } from '#embedded-postgres/server-location.ts';
import { stopOrphans } from '#embedded-postgres/server-processes.ts';
import { carelessFlags } from './cluster.ts';
import { findFreePort } from './free-port.ts';
import { until } from './load-recorder.ts';
import { copyInitializedDataDir } from './prepared-data-dir.ts';

const runFile = promisify(execFile);

/** A PostgreSQL with the carried binaries that listens on TCP, as an operator's own server does. */
export interface PostgresServer {
  /** The address of a database, as superuser. */
  url(database: string): string;
  /** Runs a statement as superuser. */
  query(text: string): Promise<Record<string, unknown>[]>;
  /** A streaming replica of this server, from a base backup that is taken now. */
  addReplica(): Promise<PostgresServer>;
  start(): Promise<void>;
  /** Ends all of its processes at once. */
  kill(): Promise<void>;
  /** Kills it and removes its files. */
  remove(): Promise<void>;
}

export interface PostgresServerOptions {
  flags?: Record<string, string>;
  /** An address of this machine, loopback by default. */
  host?: string;
  /** Goes before the program, such as `ip netns exec db`. */
  prefix?: readonly string[];
  /** Clients of this network need no password. */
  trusts?: string;
  /** Puts an empty cluster into the directory; by default the one of the test run. */
  fill?: (dataDir: string) => Promise<void>;
}

export async function startPostgresServer(
  options: PostgresServerOptions = {},
): Promise<PostgresServer> {
  const dataDir = await createServerDir();
  await (options.fill ?? copyInitializedDataDir)(dataDir);
  if (options.trusts) {
    const lines = ['all', 'replication'].map(
      (name) => `host ${name} all ${options.trusts} trust\n`,
    );
    await appendFile(join(dataDir, clusterName, 'pg_hba.conf'), lines.join(''));
  }
  return startIn(dataDir, options);
}

const createServerDir = () => mkdtemp(join(tmpdir(), `toprung-test-${process.pid}-server-`));

async function startIn(dataDir: string, options: PostgresServerOptions): Promise<PostgresServer> {
  const { home, user } = await findServerLocation(dataDir);
  const bin = (await findBinaries(home, (await findBinaryPackage()).majorVersion))!;
  const cluster = join(home, clusterName);
  const host = options.host ?? '127.0.0.1';
  const port = await findFreePort();
  const url = (database: string) => `postgres://postgres@${host}:${port}/${database}`;
  let child: ChildProcess | null = null;
  const flags = {
    ...carelessFlags,
    max_connections: '200',
    listen_addresses: host,
    unix_socket_directories: '',
    port: String(port),
    wal_level: 'replica',
    max_wal_senders: '4',
    // A replica that was away for a moment goes on from where it was.
    wal_keep_size: '256MB',
    hot_standby_feedback: 'on',
    shared_buffers: '64MB',
    timezone: 'UTC',
    ...options.flags,
  };
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: url('postgres') });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  const responds = () =>
    query('select 1').then(
      () => true,
      () => false,
    );
  const server: PostgresServer = {
    url,
    query,
    start: async () => {
      const settings = Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const command = [
        ...(options.prefix ?? []),
        join(bin, 'postgres'),
        '-D',
        cluster,
        ...settings,
      ];
      // Only root enters a network namespace, so the program itself changes the user.
      const change =
        user === null
          ? []
          : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
      const at = options.prefix?.length ?? 0;
      const [program, ...args] = [...command.slice(0, at), ...change, ...command.slice(at)];
      child = spawn(program!, args, {
        cwd: '/',
        env: serverEnvironment,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let output = '';
      child
        .stderr!.setEncoding('utf8')
        .on('data', (text: string) => (output = (output + text).slice(-4_000)));
      const isUp = async () => {
        if (child!.exitCode !== null) throw new Error(`PostgreSQL ended: ${output}`);
        return responds();
      };
      await until(isUp, 60_000, 'a PostgreSQL server').catch((error: Error) => {
        throw new Error(`${error.message}: ${output}`);
      });
    },
    addReplica: async () => startReplica(server, cluster, port, host, options),
    kill: async () => {
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await ended;
      await stopOrphans(cluster);
    },
    remove: async () => {
      await server.kill();
      await rm(home, { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** The server may remove temporary and old WAL files meanwhile, which a base backup may lack. */
async function copyLiveCluster(from: string, to: string): Promise<void> {
  const vanished = /^(cp: cannot [^\n]*: No such file or directory\n?)+$/;
  await runFile('cp', ['-a', from, to], { env: { PATH: process.env.PATH, LC_ALL: 'C' } }).catch(
    (error: { stderr?: string }) => {
      if (!vanished.test(error.stderr ?? '')) throw error;
    },
  );
}

async function startReplica(
  primary: PostgresServer,
  cluster: string,
  port: number,
  host: string,
  options: PostgresServerOptions,
): Promise<PostgresServer> {
  const dataDir = await createServerDir();
  await (options.fill ?? copyInitializedDataDir)(dataDir);
  const copy = join((await findServerLocation(dataDir)).home, clusterName);
  const client = new pg.Client({ connectionString: primary.url('postgres') });
  await client.connect();
  try {
    await client.query("select pg_backup_start('replica', true)");
    await rm(copy, { recursive: true });
    await copyLiveCluster(cluster, copy);
    await rm(join(copy, 'postmaster.pid'));
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    await writeFile(join(copy, 'backup_label'), (rows[0] as { labelfile: string }).labelfile);
    await writeFile(join(copy, 'standby.signal'), '');
    await runFile('chown', ['-R', `--reference=${cluster}`, copy]);
  } finally {
    await client.end();
  }
  return startIn(dataDir, {
    ...options,
    flags: {
      ...options.flags,
      primary_conninfo: `host=${host} port=${port} user=postgres`,
      wal_retrieve_retry_interval: '200ms',
    },
  });
}
