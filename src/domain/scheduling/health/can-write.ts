import type { Db } from '#db/database.ts';
import { probeWrites } from '#db/queries/health/write-probe.ts';

const probeEveryMs = 5_000;

interface Probe {
  startedMs: number;
  isRunning: boolean;
  result: Promise<boolean>;
}

const lastProbes = new WeakMap<Db, Probe>();

/**
 * Whether the database accepts writes: it may still read when its disk is full. Callers share a
 * probe for five seconds, and one that hangs is not joined by another.
 */
export function canWrite(db: Db): Promise<boolean> {
  const last = lastProbes.get(db);
  if (last && (last.isRunning || performance.now() - last.startedMs < probeEveryMs))
    return last.result;
  const probe = startProbe(db);
  lastProbes.set(db, probe);
  return probe.result;
}

function startProbe(db: Db): Probe {
  const result = probeWrites(db).then(
    () => true,
    () => false,
  );
  const probe = { startedMs: performance.now(), isRunning: true, result };
  void result.then(() => {
    probe.isRunning = false;
  });
  return probe;
}
