import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import type { ExportFormat } from '#domain/transfer/exports/open-export.ts';
import type { Measurement } from './measurement.ts';

const lastDay = '2026-11-21';
/** The settings of `npm start`, with its compile cache. */
const asShipped = ['--max-semi-space-size=2'];
const plan = { apps: 1, markets: 2_500, days: 400, lastDay };

/**
 * A million daily ranks of one app as a stream, in a process of its own, whose peak memory the
 * system reports.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  // Imported here and not above: the measured process needs none of it.
  const { openBenchDatabase } = await import('./database.ts');
  const { seedHistory } = await import('#tests/harness/history.ts');
  const database = await openBenchDatabase();
  try {
    const history = await seedHistory(database.pool, plan);
    const from = history.days[0]!;
    const start = (format: ExportFormat, first: string) =>
      runInChildProcess([
        database.pool.options.connectionString!,
        String(history.workspaceId),
        String(history.appIds[0]!),
        format,
        first,
      ]);
    // A start of the product finds its code compiled by the previous one.
    await start('json', lastDay);
    for (const format of ['json', 'csv'] as const) {
      const taken = await start(format, from);
      const scale = `${Math.round(taken.rows / 1_000).toLocaleString('en')} k`;
      yield {
        name: `export of rankings as ${format}, largest memory`,
        scale,
        measured: taken.maxRssMb,
        unit: 'MB',
        goal: 150,
      };
      yield {
        name: '  rows a second',
        scale,
        measured: taken.rows / taken.seconds,
        unit: '/s',
        goal: null,
      };
      yield { name: '  size', scale, measured: taken.bytes / 2 ** 20, unit: 'MiB', goal: null };
    }
  } finally {
    await database.close();
  }
}

interface Taken {
  rows: number;
  bytes: number;
  seconds: number;
  maxRssMb: number;
}

function runInChildProcess(given: string[]): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...asShipped, import.meta.filename, ...given], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0
        ? resolve(JSON.parse(text) as Taken)
        : reject(new Error(`the export ended with ${code}`)),
    );
  });
}

async function streamExport(
  url: string,
  workspaceId: number,
  appId: number,
  format: ExportFormat,
  from: string,
): Promise<Taken> {
  enableCompileCache();
  const [{ openAppExport }, { openDatabase }, { openPool }, { silentLogger }, { readerOf }] =
    await Promise.all([
      import('#domain/transfer/exports/open-export.ts'),
      import('#db/database.ts'),
      import('#db/pool.ts'),
      import('#lib/logger.ts'),
      import('#tests/harness/history.ts'),
    ]);
  const pool = openPool({
    url,
    role: 'app',
    max: 4,
    statementTimeoutMs: 10_000,
    log: silentLogger,
  });
  const db = openDatabase(pool);
  const reader = readerOf({ appDb: db, systemDb: db }, workspaceId, `${lastDay}T12:00:00Z`);
  const start = performance.now();
  const { text } = await openAppExport(reader, appId, 'rankings', { from, to: lastDay, format });
  let bytes = 0;
  let lines = 0;
  for await (const piece of text) {
    bytes += Buffer.byteLength(piece);
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', at + 1)) lines += 1;
  }
  const seconds = (performance.now() - start) / 1_000;
  await pool.end();
  return { rows: lines - 1, bytes, seconds, maxRssMb: readMaxRssMb() };
}

/**
 * The memory of this process alone where the system reports it: `maxRSS` starts with the memory of
 * the parent.
 */
function readMaxRssMb(): number {
  const ownKb =
    existsSync('/proc/self/status') &&
    /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return (ownKb ? Number(ownKb) : process.resourceUsage().maxRSS) / 1_024;
}

if (process.argv[1] === import.meta.filename) {
  const [url, workspaceId, appId, format, from] = process.argv.slice(2) as [
    string,
    string,
    string,
    ExportFormat,
    string,
  ];
  process.stdout.write(
    JSON.stringify(await streamExport(url, Number(workspaceId), Number(appId), format, from)),
  );
}
