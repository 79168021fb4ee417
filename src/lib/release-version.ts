const form = /^v?(\d{1,5})\.(\d{1,5})\.(\d{1,5})$/;

/** A released version as `1.2.3`; null for a pre-release and for everything else. */
export function parseRelease(text: string): string | null {
  const [, ...numbers] = form.exec(text) ?? [];
  return numbers.length === 0 ? null : numbers.map(Number).join('.');
}

/** The numbers of a running pre-release count. */
export function isNewerRelease(version: string, running: string): boolean {
  const [theirs, ours] = [version, running].map((text) =>
    (/^[\d.]+/.exec(text)?.[0] ?? '').split('.').map(Number),
  );
  const at = [0, 1, 2].find((index) => theirs![index] !== ours![index]);
  return at !== undefined && theirs![at]! > (ours![at] ?? 0);
}
