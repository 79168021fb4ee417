import { Tinypool } from 'tinypool';
import type { HeavyRead, HeavyReads, HeavyResult } from '#api/heavy-reads/heavy-read.ts';
import type { ThreadData } from './thread-data.ts';

const maxThreads = 2;
/** A thread takes about 60 MB, so it ends when it has had nothing to do. */
const idleMs = 60_000;

export interface HeavyReadThreads extends HeavyReads {
  close(): Promise<void>;
}

/**
 * Threads for heavy reads, started with the first one. An aborted read ends its thread at once, and
 * the database ends its statement within a second.
 */
export function startHeavyReadThreads(data: ThreadData): HeavyReadThreads {
  let pool: Tinypool | null = null;
  const open = () =>
    (pool ??= new Tinypool({
      filename: new URL('./thread.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads,
      idleTimeout: idleMs,
      workerData: data,
      execArgv: [],
    }));
  return {
    async run(read: HeavyRead, signal: AbortSignal): Promise<HeavyResult> {
      return (await open().run(read, { signal })) as HeavyResult;
    },
    async close() {
      await pool?.destroy();
    },
  };
}
