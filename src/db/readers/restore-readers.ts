import type pg from 'pg';
import { createLogin, findLogin, missingRight } from './login-roles.ts';
import { asSystem, inReaderTransaction, withReaderClient } from './reader-client.ts';
import type { StoredReader } from './stored-readers.ts';

/** The logins of each outcome. */
export interface RestoredReaders {
  /** They log in with the password that they had. */
  complete: string[];
  /** They log in once they have a password. */
  withoutPassword: string[];
  /** The server has no such login, and we may not create it; or it has more rights. */
  missing: string[];
}

/**
 * Creates the logins of the readers of a backup where the server lacks them, and binds them to
 * their workspaces again. The schema has to be the newest.
 */
export async function restoreReaders(
  url: string,
  readers: readonly StoredReader[],
): Promise<RestoredReaders> {
  const found: RestoredReaders = { complete: [], withoutPassword: [], missing: [] };
  if (readers.length === 0) return found;
  return withReaderClient(url, async (client) => {
    for (const reader of readers) found[await restoreReader(client, reader)].push(reader.login);
    return found;
  });
}

async function restoreReader(
  client: pg.Client,
  reader: StoredReader,
): Promise<keyof RestoredReaders> {
  try {
    return await inReaderTransaction(client, async () => {
      await client.query('select prepare_readers()');
      const login = await findLogin(client, reader.login);
      if (login !== null && !login.readsOnly) return 'missing';
      if (login === null) await createLogin(client, reader.login, reader.verifier);
      await bindAgain(client, reader);
      const canLogIn = login?.canLogIn ?? reader.verifier !== null;
      return canLogIn ? 'complete' : 'withoutPassword';
    });
  } catch (error) {
    if ((error as { code?: string }).code !== missingRight) throw error;
    await inReaderTransaction(client, () => bindAgain(client, reader));
    return 'missing';
  }
}

async function bindAgain(
  client: pg.Client,
  { login, workspaceId, label, createdAt }: StoredReader,
): Promise<void> {
  await asSystem(
    client,
    `insert into reader_logins (login, workspace_id, label, created_at)
     select $1, id, $3, $4 from workspaces where id = $2 on conflict (login) do nothing`,
    [login, workspaceId, label, createdAt],
  );
}
