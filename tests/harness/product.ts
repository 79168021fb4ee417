import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startSimulator, type Simulator, type SimulatorOptions } from '#simulator/server.ts';
import { listServerPids } from '#embedded-postgres/server-processes.ts';
import { clusterName, findServerLocation } from '#embedded-postgres/server-location.ts';
import { everyPace } from '#config/pace-settings.ts';
import { createClient, type Client } from '#client/http.ts';
import { startToprung, type Child } from './process.ts';

/** The lines of a completed start. */
const announcement = / API: +http\S+[^\n]*\n(?:[^\n]+\n)*\n/;
const firstStartMs = 180_000;
const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Product {
  /** The address that a person opens. */
  webUrl: string;
  apiUrl: string;
  /** Creates the first account from another machine; null once there is one. */
  setupToken: string | null;
  simulator: Simulator;
  dataDir: string;
  child: Child;
  /** Sends SIGTERM, then removes everything that was created for it. */
  stop(): Promise<void>;
}

export interface ProductOptions {
  environment?: Record<string, string>;
  /** Options of the simulator to start, or one that is running and stays up. */
  simulator?: SimulatorOptions | Simulator;
  /** A data directory that stays; by default a new one that is removed with the product. */
  dataDir?: string;
  /** Puts a prepared database into a new data directory. */
  fill?: (dataDir: string) => Promise<void>;
}

/**
 * `npm start` as people run it: one process with its own PostgreSQL, free ports, and a simulator
 * for the stores.
 */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const given = options.simulator && 'baseUrl' in options.simulator ? options.simulator : null;
  const simulator =
    given ??
    (await startSimulator({
      compress: false,
      ...(options.simulator as SimulatorOptions | undefined),
    }));
  const dataDir = options.dataDir ?? (await createDataDir());
  await options.fill?.(dataDir);
  const child = startToprung(
    ['start'],
    productEnvironment(dataDir, simulator, options.environment),
  );
  const killWithUs = () => process.kill(child.pid, 'SIGKILL');
  process.once('exit', killWithUs);
  void child.exited.then(() => process.off('exit', killWithUs));
  const stop = async () => {
    await child.kill('SIGTERM');
    if (!given) await simulator.close();
    if (options.dataDir === undefined) await removeDataDir(dataDir);
  };
  try {
    // The first start of a checkout compiles the dashboard.
    await child.waitFor(announcement, firstStartMs);
    return { ...readAnnouncement(child.output()), simulator, dataDir, child, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function productEnvironment(
  dataDir: string,
  simulator: Pick<Simulator, 'baseUrl'>,
  environment: Record<string, string> = {},
): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    WEB_PORT: '0',
    API_PORT: '0',
    STORE_BASE_URL: simulator.baseUrl,
    ...everyPace('100000'),
    ...environment,
  };
}

export interface ProductStart {
  /** The process id of what was started, which is also the number of its process group. */
  pid: number;
  webUrl: string;
  apiUrl: string;
  output(): string;
  /** Signals the group like a terminal: npm, its shell, our process and its children. */
  signalGroup(signal: NodeJS.Signals): void;
  exited: Promise<number | null>;
  /** Resolves when no process of the group is left: npm ends before our process does. */
  groupEnded(): Promise<void>;
}

/** `npm start`, through npm and its shell. */
export const startWithNpm = (environment: Record<string, string>): Promise<ProductStart> =>
  startWith(['npm', 'start', '--silent'], environment);

/** As the image and the units of systemd start it, without npm. */
export const startWithNode = (environment: Record<string, string>): Promise<ProductStart> =>
  startWith([process.execPath, '--max-semi-space-size=2', 'src/cli/main.js', 'start'], environment);

/** The process is the leader of a group of its own. */
async function startWith(
  [program, ...args]: readonly [string, ...string[]],
  environment: Record<string, string>,
): Promise<ProductStart> {
  const child = spawn(program, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/tmp',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const announced = new Promise<void>((resolve, reject) => {
    const look = (text: string) =>
      announcement.test((output = (output + text).slice(-200_000))) && resolve();
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', look);
    void exited.then((code) => reject(new Error(`the start ended with ${code}:\n${output}`)));
  });
  await announced;
  return {
    pid: child.pid!,
    ...readAnnouncement(output),
    output: () => output,
    exited,
    signalGroup: (signal) => void process.kill(-child.pid!, signal),
    groupEnded: async () => {
      while (hasProcesses(child.pid!)) await sleep(20);
    },
  };
}

function hasProcesses(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

/**
 * The first account of an instance, and a token for it. From another machine it needs the setup
 * token.
 */
export async function signUpAt(
  apiUrl: string,
  setupToken?: string,
): Promise<{ token: string; client: Client }> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const post = async (path: string, body: object, cookie = '') => {
    const response = await fetch(`${apiUrl}${path}`, {
      method: 'POST',
      headers: { ...headers, cookie },
      body: JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  };
  const signedUp = await post('/auth/sign-up', {
    email: 'first@example.org',
    password: 'grape-tunnel-oxide-41',
    setupToken,
  });
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const { token } = (await (
    await post('/tokens', { name: 'test', readOnly: false }, cookie)
  ).json()) as { token: string };
  return { token, client: createClient({ baseUrl: apiUrl, token }) };
}

/**
 * Kills every process of the product's own PostgreSQL at once, like an out-of-memory killer or a
 * power failure.
 */
export async function killPostgres(dataDir: string): Promise<number> {
  const { home } = await findServerLocation(dataDir);
  const pids = listServerPids(join(home, clusterName));
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended a moment ago.
    }
  }
  return pids.length;
}

/** Named so that the next test run removes what a killed one left. */
export function createDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), `toprung-test-${process.pid}-product-`));
}

export async function removeDataDir(dataDir: string): Promise<void> {
  const { home } = await findServerLocation(dataDir);
  for (const path of new Set([home, dataDir]))
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

function readAnnouncement(output: string): Pick<Product, 'webUrl' | 'apiUrl' | 'setupToken'> {
  const read = (label: string) => new RegExp(`  ${label}: +(\\S+)`).exec(output)?.[1] ?? null;
  return {
    webUrl: read('Toprung is up') ?? '',
    apiUrl: read('API') ?? '',
    setupToken: read('Setup token'),
  };
}
