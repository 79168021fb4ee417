import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/server.ts';
import { findServerPlace } from '../../src/boot/postgres/user.ts';
import { startToprung, type Child } from './process.ts';

export interface Product {
  /** The address a person opens. */
  webUrl: string;
  apiUrl: string;
  /** Makes the first account from another machine; null once there is one. */
  setupToken: string | null;
  simulator: Simulator;
  dataDir: string;
  child: Child;
  /** SIGTERM, then everything that was made for it is removed. */
  stop(): Promise<void>;
}

export interface ProductOptions {
  environment?: Record<string, string>;
  /** How to make the simulator, or one that is running and stays so. */
  simulator?: SimulatorOptions | Simulator;
  /** A data directory that stays; otherwise a new one that goes with the product. */
  dataDir?: string;
}

/** `npm start` as a person has it: one process with its own PostgreSQL, free ports, and a simulator for the stores. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const given = options.simulator && 'baseUrl' in options.simulator ? options.simulator : null;
  const simulator = given ?? (await startSimulator({ compress: false, ...(options.simulator as SimulatorOptions | undefined) }));
  const dataDir = options.dataDir ?? (await makeDataDir());
  const child = startToprung(['start'], productEnvironment(dataDir, simulator, options.environment));
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
    await child.waitFor(/ API: +http\S+[^\n]*\n(?:[^\n]+\n)*\n/, 180_000);
    return { ...readAnnouncement(child.output()), simulator, dataDir, child, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function productEnvironment(dataDir: string, simulator: Pick<Simulator, 'baseUrl'>, environment: Record<string, string> = {}): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    WEB_PORT: '0',
    API_PORT: '0',
    STORE_BASE_URL: simulator.baseUrl,
    SCRAPE_IOS_RPM: '100000',
    SCRAPE_ANDROID_RPM: '100000',
    ...environment,
  };
}

/** Named so that the next run of the tests removes what a killed one left. */
export function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), `toprung-test-${process.pid}-product-`));
}

export async function removeDataDir(dataDir: string): Promise<void> {
  const { home } = await findServerPlace(dataDir);
  for (const path of new Set([home, dataDir])) await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

function readAnnouncement(output: string): Pick<Product, 'webUrl' | 'apiUrl' | 'setupToken'> {
  const read = (label: string) => new RegExp(`  ${label}: +(\\S+)`).exec(output)?.[1] ?? null;
  return { webUrl: read('Toprung is up') ?? '', apiUrl: read('API') ?? '', setupToken: read('Setup token') };
}
