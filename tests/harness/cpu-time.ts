/**
 * Milliseconds of CPU that work took in this process. Unlike time that passes it does not grow
 * while the machine serves others.
 */
export function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
