import { setTimeout as wait } from 'node:timers/promises';
import { ShutdownStack } from '#lib/shutdown-stack.ts';

/** A server that does not respond must not hold up the stop for longer. */
const cleanupMs = 10_000;

/**
 * Runs work with a signal that aborts when the command is stopped. The stop waits until the work
 * has removed its half-written file or temporary database, and only then closes the resources that
 * the work has opened, such as the server of that database.
 */
export function runAbortably<T>(
  shutdownStack: ShutdownStack,
  work: (signal: AbortSignal, resources: ShutdownStack) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController();
  const resources = new ShutdownStack();
  const working = work(stopping.signal, resources);
  shutdownStack.add(async () => {
    stopping.abort();
    const ended = working.catch(() => undefined);
    await Promise.race([ended, wait(cleanupMs, undefined, { ref: false })]);
    await resources.close();
  });
  return working;
}
