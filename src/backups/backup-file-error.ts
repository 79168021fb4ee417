import { CommandError } from '#lib/command-error.ts';

/** The file is no backup, is incomplete or was changed. Nothing was written. */
export class BackupFileError extends CommandError {
  constructor(problem: string, options?: ErrorOptions) {
    super(`The file ${problem}.`, options);
    this.name = 'BackupFileError';
  }
}
