/** The store's text for installs: the largest of 1, 5, 10, 50 … that the exact count reaches. */
export function installsBucket(installs: bigint): { text: string; floor: bigint; short: string } {
  let floor = 0n;
  for (let step = 1n, five = false; step <= installs; step *= five ? 5n : 2n) {
    floor = step;
    five = !step.toString().startsWith('5');
  }
  return { text: `${groupDigits(floor)}+`, floor, short: `${shorten(floor)}+` };
}

/** 1,234,567 */
export function groupDigits(count: bigint): string {
  return count.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

function shorten(count: bigint): string {
  if (count >= 1_000_000_000n) return `${count / 1_000_000_000n}B`;
  if (count >= 1_000_000n) return `${count / 1_000_000n}M`;
  return count >= 1_000n ? `${count / 1_000n}K` : String(count);
}
