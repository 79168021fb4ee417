/**
 * A pool of buffers. Megabytes of garbage per call would bring the next garbage collection nearer,
 * which takes as long as the call.
 */
const kept: Buffer[] = [];
const maxPooledBuffers = 2;
const maxPooledBytes = 8 * 2 ** 20;

/** A buffer of at least that size, with arbitrary content. */
export function acquireBuffer(bytes: number): Buffer {
  const index = kept.findIndex((buffer) => buffer.length >= bytes);
  return index === -1 ? Buffer.allocUnsafeSlow(bytes) : kept.splice(index, 1)[0]!;
}

/**
 * The buffer must not be used after its release. One that is never released is garbage-collected.
 */
export function release(buffer: Buffer): void {
  if (kept.length < maxPooledBuffers && buffer.length <= maxPooledBytes && !kept.includes(buffer))
    kept.push(buffer);
}
