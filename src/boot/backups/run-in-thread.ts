import { extname } from 'node:path';
import { Tinypool } from 'tinypool';

interface ThreadOptions {
  signal?: AbortSignal;
  /** The function of the thread's file; the default one unless given. */
  name?: string;
}

/** Runs a task in a thread that ends with it, also when the signal aborts. */
export async function runInThread<T>(
  thread: 'backup-thread' | 'upload-thread',
  task: unknown,
  { signal, name }: ThreadOptions = {},
): Promise<T> {
  const pool = new Tinypool({
    filename: new URL(`./${thread}${extname(import.meta.url)}`, import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    execArgv: [],
  });
  try {
    return (await pool.run(task, { ...(signal && { signal }), ...(name && { name }) })) as T;
  } finally {
    await pool.destroy();
  }
}
