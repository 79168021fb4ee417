import { CommandError } from '#lib/command-error.ts';

/** The file does not fit this version or this database. Nothing was changed. */
export class RestoreRefusedError extends CommandError {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'RestoreRefusedError';
  }
}
