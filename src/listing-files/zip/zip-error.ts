import type { ZipFault } from '#contract/choices.ts';

/** A zip that is refused as a whole. */
export class ZipError extends Error {
  readonly fault: ZipFault;
  /** The path of the file in the zip; null when the fault is of the zip. */
  readonly file: string | null;

  /** The message says what to do. */
  constructor(fault: ZipFault, file: string | null, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ZipError';
    this.fault = fault;
    this.file = file;
  }
}
