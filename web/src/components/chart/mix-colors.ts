/** Parses `#4f46e5` or `#45e` into red, green and blue. */
function readHex(color: string): number[] {
  const digits = color.replace('#', '');
  const whole = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return [0, 2, 4].map((at) => Number.parseInt(whole.slice(at, at + 2), 16));
}

/** Mixes two hex colours by a share. The chart library cannot parse `color-mix()`. */
export function mixColors(color: string, other: string, share: number): string {
  const [parts, others] = [readHex(color), readHex(other)];
  return `#${parts
    .map((part, index) =>
      Math.round(part * share + others[index]! * (1 - share))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
