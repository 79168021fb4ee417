import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

interface Counted {
  parent: number;
  /** Those of its descendants that have ended are included. */
  ticks: number;
}

/**
 * Seconds of processor time of a process and of all that it has started; null on a system without
 * `/proc`.
 */
export function processorSecondsOf(pid: number): number | null {
  const counted = new Map(listPids().flatMap((one) => readProcess(one)));
  if (!counted.has(pid)) return null;
  const isBelow = (one: number): boolean =>
    one === pid || (counted.has(one) && isBelow(counted.get(one)!.parent));
  let ticks = 0;
  for (const [one, process] of counted) if (isBelow(one)) ticks += process.ticks;
  return ticks / ticksPerSecond;
}

function listPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Empty for a process that has ended. */
function readProcess(pid: number): [number, Counted][] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may contain anything.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, count) => sum + count, 0);
    return [[pid, { parent: fields[1]!, ticks }]];
  } catch {
    return [];
  }
}
