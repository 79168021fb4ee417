import { readFile } from 'node:fs/promises';
import { minPassphraseLength } from '#backups/encrypt-keys.ts';
import type { Config } from '#config/env.ts';
import { SetupError } from '#lib/setup-error.ts';
import { processShell } from './terminal/shell.ts';

/**
 * The passphrase for the keys of a backup: from a file, from BACKUP_PASSPHRASE, or asked for. The
 * command line would show it to every user of the machine.
 */
export async function readPassphrase(
  { BACKUP_PASSPHRASE }: Pick<Config, 'BACKUP_PASSPHRASE'>,
  file: string | undefined,
): Promise<string> {
  const passphrase =
    file === undefined
      ? (BACKUP_PASSPHRASE ?? (await askForPassphrase()))
      : (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  if (passphrase.length < minPassphraseLength)
    throw new SetupError(`the passphrase must have at least ${minPassphraseLength} characters`);
  return passphrase;
}

async function askForPassphrase(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new SetupError('--with-keys needs --passphrase-file or BACKUP_PASSPHRASE');
  return processShell.ask('Passphrase: ', { isSecret: true });
}
