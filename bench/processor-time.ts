import { readdirSync, readFileSync } from 'node:fs';

const measuredMs = 400;
const maxRuns = 100;

/** Milliseconds of the processor that work takes in this process and in PostgreSQL. */
export async function processorMs(
  serverPids: () => number[],
  work: () => Promise<unknown>,
): Promise<number> {
  const [own, server] = [process.cpuUsage(), usedMs(serverPids())];
  await work();
  const { user, system } = process.cpuUsage(own);
  return (user + system) / 1_000 + usedMs(serverPids()) - server;
}

/** The mean of many runs, because the kernel counts in hundredths of a second. */
export async function meanProcessorMs(
  serverPids: () => number[],
  work: () => Promise<unknown>,
): Promise<number> {
  // Until a task has found nothing to do three times.
  for (let idle = 0; idle < 3;) if (!(((await work()) as number) > 0)) idle += 1;
  let runs = 0;
  const spentMs = await processorMs(serverPids, async () => {
    const startMs = performance.now();
    while (runs < maxRuns && (runs < 3 || performance.now() - startMs < measuredMs)) {
      await work();
      runs += 1;
    }
  });
  return spentMs / runs;
}

/** The living processes that this one started, and theirs. */
export function listDescendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    try {
      if (/^\d+$/.test(name))
        parents.set(
          Number(name),
          Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]),
        );
    } catch {
      // It has ended.
    }
  }
  const isBelow = (one: number): boolean => {
    const parent = parents.get(one) ?? 0;
    return parent === pid || (parent > 1 && isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}

/** The time that processes have used, their ended children included. */
export function usedMs(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    try {
      // After the name in brackets: the times of the process and of its ended children.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    } catch {
      return 0;
    }
  });
  return ticks.reduce((sum, count) => sum + count, 0) * 10;
}
