import { monitorEventLoopDelay } from 'node:perf_hooks';
import type pg from 'pg';
import { openFileReaders } from '#boot/file-threads/open-file-readers.ts';
import { popularityPartBytes } from '#contract/body-limits.ts';
import type { PopularityFileTask } from '#domain/base/ports.ts';
import { systemClock } from '#lib/clock.ts';

const megabyte = 2 ** 20;
const sampleMs = 10;

/** Uploads a file without the API. */
export async function storePopularityFile(
  pool: pg.Pool,
  file: Buffer,
): Promise<PopularityFileTask> {
  const one = async (text: string, values: unknown[] = []) =>
    Number((await pool.query(text, values)).rows[0].id);
  const workspaceId = await one(
    "insert into workspaces (name, created_at) values ('made', now()) returning id",
  );
  const jobId = await one(
    `insert into jobs (workspace_id, kind, state, payload, total, queued_at)
     values ($1, 'popularity-import', 'running', '{}', 1, now()) returning id`,
    [workspaceId],
  );
  const parts = Math.ceil(file.length / popularityPartBytes);
  for (let number = 1; number <= parts; number += 1)
    await pool.query(
      `insert into popularity_import_parts (workspace_id, number, data, stored_at)
       values ($1, $2, $3, now())`,
      [
        workspaceId,
        number,
        file.subarray((number - 1) * popularityPartBytes, number * popularityPartBytes),
      ],
    );
  const importId = await one(
    `insert into popularity_imports (job_id, requested_by, file_name, bytes, parts, created_at)
     values ($1, 'a@example.org', 'made', $2, $3, now()) returning id`,
    [jobId, file.length, parts],
  );
  return { importId, workspaceId, jobId };
}

export interface MeasuredImport {
  seconds: number;
  /** Processor time of this process with the thread. */
  cpuSeconds: number;
  /** The growth of this process with the thread that reads the file, at its peak. */
  growthMb: number;
  /** The longest time in which this process handled nothing else. */
  eventLoopMs: number;
  rowsRead: number;
  rowsRefused: number;
}

/** Imports a stored file in the product's own thread. */
export async function measurePopularityImport(
  { url, pool }: { url: string; pool: pg.Pool },
  task: PopularityFileTask,
  signal = AbortSignal.timeout(600_000),
): Promise<MeasuredImport> {
  const readers = openFileReaders({ LOG_LEVEL: 'silent' }, { urlOf: () => url }, systemClock);
  const beforeBytes = process.memoryUsage.rss();
  let peakBytes = beforeBytes;
  const sampler = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }, sampleMs);
  const delay = monitorEventLoopDelay({ resolution: sampleMs });
  delay.enable();
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  try {
    await readers.popularityFiles.importFile(task, signal);
  } finally {
    clearInterval(sampler);
    delay.disable();
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const cpuSeconds = (user + system) / 1e6;
  const { rows } = await pool.query(
    `select rows_read as "rowsRead", rows_refused as "rowsRefused" from popularity_imports
     where id = $1`,
    [task.importId],
  );
  const growthMb = (peakBytes - beforeBytes) / megabyte;
  return { seconds, cpuSeconds, growthMb, eventLoopMs: delay.max / 1e6, ...rows[0] };
}

/** The month before the current one, which a file may have at any time. */
export function lastMonth(): string {
  const now = systemClock.now();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))
    .toISOString()
    .slice(0, 7);
}
