import { readFile } from 'node:fs/promises';
import { minPassphraseLength } from '#backups/encrypt-keys.ts';
import type { Config } from '#config/env.ts';
import { CommandError } from '#lib/command-error.ts';
import { SetupError } from '#lib/setup-error.ts';
import { processShell } from './terminal/shell.ts';

export interface KeyOptions {
  withKeys?: boolean;
  passphraseFile?: string;
}

/** Null when the keys are left out. Throws SetupError for a passphrase that nothing would use. */
export function createPassphraseReader(
  config: Pick<Config, 'BACKUP_PASSPHRASE'>,
  { withKeys, passphraseFile }: KeyOptions,
): (() => Promise<string>) | null {
  if (withKeys) return () => readPassphrase(config, passphraseFile);
  if (passphraseFile === undefined) return null;
  throw new SetupError('--passphrase-file needs --with-keys, without which keys are left out');
}

/**
 * The passphrase for the keys of a backup: from a file, from BACKUP_PASSPHRASE, or asked for. The
 * command line would show it to every user of the machine.
 */
async function readPassphrase(
  { BACKUP_PASSPHRASE }: Pick<Config, 'BACKUP_PASSPHRASE'>,
  file: string | undefined,
): Promise<string> {
  const passphrase =
    file === undefined
      ? (BACKUP_PASSPHRASE ?? (await askForPassphrase()))
      : await readPassphraseFile(file);
  if (passphrase.length < minPassphraseLength)
    throw new SetupError(`the passphrase must have at least ${minPassphraseLength} characters`);
  return passphrase;
}

async function readPassphraseFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(`The passphrase cannot be read from ${path}: ${cause.code}`, { cause });
  });
  return text.replace(/\r?\n$/, '');
}

async function askForPassphrase(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new SetupError('--with-keys needs --passphrase-file or BACKUP_PASSPHRASE');
  return processShell.ask('Passphrase: ', { isSecret: true });
}
