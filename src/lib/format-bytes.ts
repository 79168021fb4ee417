const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** `1.4 MB`: powers of 1,024, one decimal. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1_024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
