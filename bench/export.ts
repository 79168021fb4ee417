import { spawn } from 'node:child_process';
import { fillHistory, readerOf } from '../tests/harness/history.ts';
import { openAppExport, type ExportFormat } from '../src/domain/exports/open-export.ts';
import { openDatabase } from '../src/db/database.ts';
import { openPool } from '../src/db/pool.ts';
import { addDays } from '../src/lib/dates.ts';
import { silentLogger } from '../src/lib/logger.ts';
import type { Figure } from './figure.ts';

const lastDay = '2026-11-21';
/** As `npm start` has it. */
const asShipped = ['--max-semi-space-size=2'];
const plan = { apps: 1, markets: 2_500, days: 400, lastDay };

/** A million cells of one app as a stream, in a process of its own, whose largest memory is what the system says. */
export async function* measure(): AsyncGenerator<Figure> {
  // Only here: the process that is measured needs none of it.
  const { openBenchDatabase } = await import('./database.ts');
  const database = await openBenchDatabase();
  try {
    const history = await fillHistory(database.pool, plan);
    for (const format of ['json', 'csv'] as const) {
      const taken = await runApart([database.pool.options.connectionString!, String(history.workspaceId), String(history.appIds[0]!), format]);
      const scale = `${Math.round(taken.rows / 1_000).toLocaleString('en')} k`;
      yield { name: `export of rankings as ${format}, largest memory`, scale, measured: taken.maxRssMb, unit: 'MB', goal: 150 };
      yield { name: '  rows a second', scale, measured: taken.rows / taken.seconds, unit: '/s', goal: null };
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

function runApart(given: string[]): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...asShipped, import.meta.filename, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve(JSON.parse(text) as Taken) : reject(new Error(`the export ended with ${code}`))));
  });
}

async function streamExport(url: string, workspaceId: number, appId: number, format: ExportFormat): Promise<Taken> {
  const pool = openPool({ url, role: 'app', max: 4, statementTimeoutMs: 10_000, log: silentLogger });
  const db = openDatabase(pool);
  const reader = readerOf({ appDb: db, systemDb: db }, workspaceId, `${lastDay}T12:00:00Z`);
  const start = performance.now();
  const { text } = await openAppExport(reader, appId, 'rankings', { from: addDays(lastDay, 1 - plan.days), to: lastDay, format });
  let bytes = 0;
  let lines = 0;
  for await (const piece of text) {
    bytes += Buffer.byteLength(piece);
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', at + 1)) lines += 1;
  }
  const seconds = (performance.now() - start) / 1_000;
  await pool.end();
  return { rows: lines - 1, bytes, seconds, maxRssMb: process.resourceUsage().maxRSS / 1_024 };
}

if (process.argv[1] === import.meta.filename) {
  const [url, workspaceId, appId, format] = process.argv.slice(2) as [string, string, string, ExportFormat];
  process.stdout.write(JSON.stringify(await streamExport(url, Number(workspaceId), Number(appId), format)));
}
