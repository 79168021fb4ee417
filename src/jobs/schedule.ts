import type { Dispatcher } from '../domain/runs/dispatch.ts';
import type { Services } from '../domain/context.ts';
import { tick } from '../domain/runs/tick.ts';

const beatMs = 1_000;
/** A beat that fails (the database restarting) is tried again, slower. */
const pauseAfterFailureMs = 2_000;

/** Beats once a second, or at once when woken. Any number of these may run; the rows decide who does what. */
export function startScheduler(
  services: Services,
  dispatcher: Dispatcher,
): { wake(): void; close(): Promise<void> } {
  const closing = new AbortController();
  let ring: () => void = () => undefined;
  const loop = (async () => {
    while (!closing.signal.aborted) {
      let pauseMs = beatMs;
      try {
        await tick(services, dispatcher);
      } catch (error) {
        pauseMs = pauseAfterFailureMs;
        if (!closing.signal.aborted)
          services.log.warn({ error: (error as Error).message }, 'the scheduler missed a beat');
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        ring = () => {
          clearTimeout(timer);
          resolve();
        };
        if (closing.signal.aborted) ring();
      });
    }
  })();
  return {
    wake: () => ring(),
    close: async () => {
      closing.abort();
      ring();
      await loop;
    },
  };
}
