import { failure, ok, skipped, warning, type Finding } from '../finding.ts';
import type { Readings } from '../readings.ts';

const warnMs = 2_000;
/** Sessions, leases and the days of positions would be wrong. */
const errorMs = 30_000;

/** Compares the clock of this machine with that of the database. */
export function checkClock({ database }: Readings): Finding[] {
  if (database.state !== 'running')
    return [skipped('clock', 'The database is needed to compare its clock with ours.')];
  const { clockAheadMs, roundTripMs } = database.server;
  const offMs = Math.max(0, Math.abs(clockAheadMs) - roundTripMs);
  if (offMs < warnMs) return [ok('clock', 'This machine and the database have the same time.')];
  const direction = clockAheadMs > 0 ? 'behind' : 'ahead of';
  const message =
    `The clock of this machine is ${(Math.abs(clockAheadMs) / 1_000).toFixed(0)} s ` +
    `${direction} that of the database.`;
  const remedy = 'Synchronize both machines with NTP: timedatectl set-ntp true.';
  return [offMs < errorMs ? warning('clock', message, remedy) : failure('clock', message, remedy)];
}
