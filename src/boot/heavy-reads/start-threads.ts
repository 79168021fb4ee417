import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { Tinypool } from 'tinypool';
import type { HeavyReads, HeavyResult } from '#api/heavy-reads/heavy-read.ts';
import { receiveExport } from './export-channel.ts';
import { countOf, type ThreadData } from './thread-data.ts';

/** One processor is left to the event loop. */
const maxThreads = Math.min(2, Math.max(1, availableParallelism() - 1));
/** Exports mostly wait for their clients, so one thread serves all of them. */
const exportsAtOnce = 8;
/** A thread takes about 60 MB, so it ends when it has had nothing to do. */
const idleMs = 60_000;

export interface HeavyReadThreads extends HeavyReads {
  /** Reads so far, by the server at which they began. */
  counts(): { primary: number; replica: number };
  close(): Promise<void>;
}

/**
 * Threads for heavy reads, started with the first one. An aborted read ends its thread at once, and
 * the database ends its statement within a second.
 */
export function startHeavyReadThreads(
  options: Omit<ThreadData, 'readCounts' | 'replicaUrl'> & { replicaUrl?: string | null },
): HeavyReadThreads {
  const readCounts = new Int32Array(new SharedArrayBuffer(8));
  const data: ThreadData = { replicaUrl: null, ...options, readCounts };
  const pools: { reads?: Tinypool; exports?: Tinypool } = {};
  const open = (threads: number, tasksPerThread: number) =>
    new Tinypool({
      filename: new URL(`./thread${extname(import.meta.url)}`, import.meta.url).href,
      minThreads: 0,
      maxThreads: threads,
      concurrentTasksPerWorker: tasksPerThread,
      idleTimeout: idleMs,
      workerData: data,
      execArgv: [],
    });
  return {
    // A replica is there to spare the primary all of them.
    servesEveryWorkspace: data.replicaUrl !== null,
    counts: () => ({
      primary: Atomics.load(readCounts, countOf.primary),
      replica: Atomics.load(readCounts, countOf.replica),
    }),
    async run(read, signal) {
      const reads = (pools.reads ??= open(maxThreads, 1));
      return (await reads.run(read, { signal, name: 'readHeavily' })) as HeavyResult;
    },
    async openExport(read) {
      const exports = (pools.exports ??= open(1, exportsAtOnce));
      const { port1, port2 } = new MessageChannel();
      const sent = exports.run(
        { read, port: port2 },
        { transferList: [port2], name: 'exportText' },
      );
      return receiveExport(port1, sent);
    },
    async close() {
      await Promise.all([pools.reads?.destroy(), pools.exports?.destroy()]);
    },
  };
}
