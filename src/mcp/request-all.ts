/**
 * Like Promise.all, but waits for every promise after a failure, so that nothing outlives the
 * request.
 */
export async function requestAll<T extends readonly unknown[] | []>(
  asked: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(asked);
  return Promise.all(asked);
}
