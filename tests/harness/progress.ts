export interface Progress {
  /** Counts what is done. Throws once the part has reached its limit, so that its loops end. */
  add(count?: number): void;
}

export interface Part {
  /** Names the unit too, such as `kills of PostgreSQL`. */
  name: string;
  total: number;
  limitMs: number;
  /** Ends what the part started, however it ended. */
  cleanUp?: () => Promise<unknown>;
}

const lineEveryMs = 10_000;

/**
 * Runs a part of a long test within its limit. With TORTURE it prints how far it is; a part that
 * takes too long fails with that line instead of a bare timeout.
 */
export async function trackProgress<T>(
  { name, total, limitMs, cleanUp }: Part,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const startedMs = performance.now();
  const seconds = (ms: number) => Math.round(ms / 1_000);
  let done = 0;
  const describeState = () =>
    `${name}: ${done} of ${total} after ${seconds(performance.now() - startedMs)} s of at most ` +
    `${seconds(limitMs)} s`;
  const over = Promise.withResolvers<never>();
  const isOver = () => performance.now() - startedMs >= limitMs;
  const fail = () => over.reject(new Error(`the limit is reached; ${describeState()}`));
  const timer = setTimeout(fail, limitMs);
  const lines = process.env.TORTURE
    ? setInterval(() => console.log(describeState()), lineEveryMs)
    : undefined;
  const add = (count = 1) => {
    done += count;
    if (isOver() && done < total) throw new Error(`the limit is reached; ${describeState()}`);
  };
  try {
    return await Promise.race([work({ add }), over.promise]);
  } finally {
    clearTimeout(timer);
    clearInterval(lines);
    await cleanUp?.();
  }
}

/**
 * Prints the figures of a guarantee in docs/reliability.md; `npm run torture` lists them at its
 * end.
 */
export function reportFigures(guarantee: number, figures: Record<string, number | string>): void {
  const list = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  console.log(`figures ${guarantee}: ${list.join('; ')}`);
}
