import type { Config } from '#config/env.ts';
import { createReader, type CreatedReader } from '#db/readers/create-reader.ts';
import { listReaders, type Reader } from '#db/readers/list-readers.ts';
import { revokeReader, type RevokedReader } from '#db/readers/revoke-reader.ts';
import { setReaderPassword, type ReaderPassword } from '#db/readers/set-reader-password.ts';
import { createLogger } from '#lib/logger.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { findInstanceDatabase, type UrlOf } from '../backups/instance-database.ts';
import { databaseName } from '../database-name.ts';

export interface ReaderConnection {
  host: string;
  port: string;
  database: string;
  /** False while nothing listens there: the embedded database without READER_PORT. */
  isOpen: boolean;
}

export async function addReader(
  config: Config,
  shutdownStack: ShutdownStack,
  reader: { workspaceId: number; label: string | null; login: string | null },
): Promise<CreatedReader & { connection: ReaderConnection }> {
  const urlOf = await open(config, shutdownStack);
  const created = await createReader(urlOf(), { ...reader, now: new Date() });
  return { ...created, connection: connectionOf(config) };
}

export async function renewPassword(
  config: Config,
  shutdownStack: ShutdownStack,
  login: string,
): Promise<ReaderPassword & { connection: ReaderConnection }> {
  const renewed = await setReaderPassword((await open(config, shutdownStack))(), login, new Date());
  return { ...renewed, connection: connectionOf(config) };
}

export async function readReaders(config: Config, shutdownStack: ShutdownStack): Promise<Reader[]> {
  return listReaders((await open(config, shutdownStack))());
}

export async function removeReader(
  config: Config,
  shutdownStack: ShutdownStack,
  login: string,
): Promise<RevokedReader> {
  return revokeReader((await open(config, shutdownStack))(), login, new Date());
}

const open = (config: Config, shutdownStack: ShutdownStack): Promise<UrlOf> =>
  findInstanceDatabase(config, createLogger(config.LOG_LEVEL), shutdownStack);

/** Where a reader connects to. */
function connectionOf({ DATABASE_URL: url, READER_PORT: port }: Config): ReaderConnection {
  if (url === null)
    return {
      host: '127.0.0.1',
      port: String(port ?? 'READER_PORT'),
      database: databaseName,
      isOpen: port !== null,
    };
  const { hostname, port: ownPort, pathname } = new URL(url);
  return {
    host: hostname || 'localhost',
    port: ownPort || '5432',
    database: decodeURIComponent(pathname.slice(1)),
    isOpen: true,
  };
}
