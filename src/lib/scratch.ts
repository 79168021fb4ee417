/**
 * Memory that is used again. What a call of megabytes leaves behind brings the next collection nearer, and that takes as long
 * as the call.
 */
const kept: Buffer[] = [];
const keptMax = 2;
const keptBytesMax = 8 * 2 ** 20;

/** At least so many bytes, with whatever stood in them. */
export function borrow(bytes: number): Buffer {
  const index = kept.findIndex((buffer) => buffer.length >= bytes);
  return index === -1 ? Buffer.allocUnsafeSlow(bytes) : kept.splice(index, 1)[0]!;
}

/** Nobody may look at it from now on. What is never given back is collected like anything else. */
export function giveBack(buffer: Buffer): void {
  if (kept.length < keptMax && buffer.length <= keptBytesMax && !kept.includes(buffer))
    kept.push(buffer);
}
