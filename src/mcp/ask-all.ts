/** Like Promise.all, but nothing is left under way when one fails: the request that waits for it ends with all of them. */
export async function askAll<T extends readonly unknown[] | []>(
  asked: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(asked);
  return Promise.all(asked);
}
