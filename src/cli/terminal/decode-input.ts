import { CommandError } from '#lib/command-error.ts';

/** The text of a file or of stdin, without its byte order mark. Throws CommandError. */
export function decodeInput(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${name} is not UTF-8. Save it as UTF-8.`);
  }
}
