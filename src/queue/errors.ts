import { SetupFault } from '../lib/setup-fault.ts';

/** The queue store cannot take more; nothing is wrong with the request. */
export class QueueFullError extends Error {
  constructor(options?: ErrorOptions) {
    super('The queue store is full.', options);
    this.name = 'QueueFullError';
  }
}

/** The queue store did not answer in time or at all. What was asked may still happen later. */
export class QueueUnavailableError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The queue store is not available: ${reason}`, options);
    this.name = 'QueueUnavailableError';
  }
}

/** The queue store is set up so that jobs would be lost; the boot ends with exit code 78. */
export class QueueConfigError extends SetupFault {
  constructor(message: string) {
    super(message);
    this.name = 'QueueConfigError';
  }
}

/** Errors of the store as the callers of the port know them. */
export function toQueueError(error: unknown): Error {
  if (error instanceof QueueUnavailableError || error instanceof QueueFullError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith('OOM ')
    ? new QueueFullError({ cause: error })
    : new QueueUnavailableError(message, { cause: error });
}
