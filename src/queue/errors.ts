import { SetupError } from '#lib/setup-error.ts';

/** The queue store has no capacity left; the request itself is valid. */
class QueueFullError extends Error {
  constructor(options?: ErrorOptions) {
    super('The queue store is full.', options);
    this.name = 'QueueFullError';
  }
}

/** The queue store did not respond in time or at all. The operation may still happen later. */
export class QueueUnavailableError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The queue store is not available: ${reason}`, options);
    this.name = 'QueueUnavailableError';
  }
}

/** The settings of the queue store could lose jobs. The process exits with code 78. */
export class QueueConfigError extends SetupError {
  constructor(message: string) {
    super(message);
    this.name = 'QueueConfigError';
  }
}

/** Maps an error of the store to QueueFullError or QueueUnavailableError. */
export function toQueueError(error: unknown): Error {
  if (error instanceof QueueUnavailableError || error instanceof QueueFullError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (message.startsWith('OOM ')) return new QueueFullError({ cause: error });
  return new QueueUnavailableError(withRemedy(message), { cause: error });
}

/** Redis refuses every write after it could not write to its disk. */
export function withRemedy(message: string): string {
  return message.startsWith('MISCONF ') ? `${message}; free space on the disk of Redis` : message;
}
