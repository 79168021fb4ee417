/** The queue did not take work: it is away, or full. The rows say what is still due. */
export class NotTakenError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'NotTakenError';
  }
}

/** Hands work to the queue. What it does not take is released; where that fails too, the leases run out by themselves. */
export async function handOver(
  send: () => Promise<void>,
  release: () => Promise<void>,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    await release().catch(() => undefined);
    throw new NotTakenError(error);
  }
}
