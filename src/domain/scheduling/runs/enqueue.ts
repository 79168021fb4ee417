/** The queue store is full or unavailable. The rows still say what is due. */
export class EnqueueError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'EnqueueError';
  }
}

/**
 * Puts rows on a queue. If the queue refuses them, their leases are released, so that the next tick
 * takes them again; if that fails too, the leases expire. Throws EnqueueError.
 */
export async function enqueue(
  send: () => Promise<void>,
  release: () => Promise<void>,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    await release().catch(() => undefined);
    throw new EnqueueError(error);
  }
}
