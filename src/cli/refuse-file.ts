import { CommandError } from '#lib/command-error.ts';

/** Throws an error of the file system as CommandError with the next step. */
export function refuseFile(file: string, error: unknown): never {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  throw new CommandError(`${file}: ${code}. Check the path and its access.`);
}
