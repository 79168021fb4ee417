/**
 * Milliseconds of CPU time of the work in this process, which do not grow while the machine is
 * busy.
 */
export function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
