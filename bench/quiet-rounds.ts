import { readFileSync } from 'node:fs';

/** Ticks of all processors, and those that the host gave to other machines. */
export interface Ticks {
  all: number;
  stolen: number;
}

/** Null where the system does not report it. */
export function readTicks(): Ticks | null {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const ticks = line.split(/ +/).slice(1, 9).map(Number);
    return { all: ticks.reduce((sum, tick) => sum + tick, 0), stolen: ticks[7] ?? 0 };
  } catch {
    return null;
  }
}

/** The share of the time since then that was used, idle or stolen. */
export function stolenShare(before: Ticks | null): number {
  const now = readTicks();
  return before && now ? (now.stolen - before.stolen) / Math.max(1, now.all - before.all) : 0;
}

const quietShare = 0.02;
const quietMin = 3;

/**
 * Runs each work in turn for a number of rounds, and returns for each the results of the rounds in
 * which the host took at most a fiftieth of the machine's time: figures with a fifth stolen say
 * little about the code. A work with fewer than three such rounds gets more, up to three times as
 * many; after that all of its rounds count.
 */
export async function quietRounds<T>(
  rounds: number,
  works: readonly (() => Promise<T>)[],
): Promise<T[][]> {
  const taken = works.map((work) => ({ work, all: [] as T[], quiet: [] as T[] }));
  const isEnough = () => taken.every(({ quiet }) => quiet.length >= quietMin);
  for (let round = 0; round < rounds || (round < 3 * rounds && !isEnough()); round += 1) {
    for (const { work, all, quiet } of taken) {
      const before = readTicks();
      const result = await work();
      all.push(result);
      if (stolenShare(before) <= quietShare) quiet.push(result);
    }
  }
  return taken.map(({ all, quiet }) => (quiet.length >= quietMin ? quiet : all));
}
