import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import {
  createDataDir,
  productEnvironment,
  removeDataDir,
  startWithNode,
  startWithNpm,
} from '#tests/harness/product.ts';
import { percentile, type Measurement } from './measurement.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const starts = 5;

/** From the command to the first response through the web origin, with an existing database. */
export async function* measure(): AsyncGenerator<Measurement> {
  const dataDir = await createDataDir();
  try {
    const first = await timeStart(dataDir, startWithNpm);
    yield {
      name: 'first start with an empty DATA_DIR to the first response',
      scale: 'empty',
      measured: first,
      unit: 's',
      goal: null,
    };
    const ways = [
      ['warm start to the first response, p50', startWithNpm],
      ['  without npm, as the image and the units start it', startWithNode],
    ] as const;
    for (const [name, start] of ways) {
      const times: number[] = [];
      for (let count = 0; count < starts; count++) times.push(await timeStart(dataDir, start));
      yield {
        name,
        scale: 'empty',
        measured: percentile(
          times.toSorted((a, b) => a - b),
          0.5,
        ),
        unit: 's',
        goal: 0.5,
      };
    }
  } finally {
    await removeDataDir(dataDir);
  }
  if (process.env.BENCH_INSTALL === '1')
    yield {
      name: 'npm ci, as measured by a fresh clone',
      scale: 'empty',
      measured: await timeInstall(),
      unit: 's',
      goal: null,
    };
}

async function timeStart(dataDir: string, startProduct: typeof startWithNpm): Promise<number> {
  const start = performance.now();
  const product = await startProduct(
    productEnvironment(dataDir, { baseUrl: 'http://127.0.0.1:9' }),
  );
  const response = await fetch(`${product.webUrl}/api/backend/auth/state`);
  const seconds = (performance.now() - start) / 1000;
  product.signalGroup('SIGTERM');
  await product.groupEnded();
  if (response.status >= 500) throw new Error(`the first response was ${response.status}`);
  return seconds;
}

async function timeInstall(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'toprung-bench-install-'));
  try {
    for (const file of ['package.json', 'package-lock.json'])
      await cp(join(root, file), join(directory, file));
    const start = performance.now();
    await promisify(execFile)('npm', ['ci'], { cwd: directory });
    return (performance.now() - start) / 1000;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
