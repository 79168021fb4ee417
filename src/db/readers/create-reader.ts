import type pg from 'pg';
import { CommandError } from '#lib/command-error.ts';
import {
  createLogin,
  findLogin,
  makeLoginName,
  makePassword,
  refuseLogin,
  withRights,
} from './login-roles.ts';
import { writeReaderAudit } from './reader-audit.ts';
import { asSystem, inReaderTransaction, withReaderClient } from './reader-client.ts';
import { scramVerifier } from './scram-verifier.ts';

export interface NewReader {
  workspaceId: number;
  label: string | null;
  /** A login that the administrator of the server has created; null creates one. */
  login: string | null;
  now: Date;
}

export interface CreatedReader {
  login: string;
  /** Shown once; nothing of ours stores it. Null for a login that existed. */
  password: string | null;
  workspace: string;
}

/**
 * Creates a login that reads the views of one workspace and nothing else, or binds an existing one.
 * Throws CommandError, which says what to do.
 */
export function createReader(url: string, reader: NewReader): Promise<CreatedReader> {
  return withReaderClient(url, (client) =>
    inReaderTransaction(client, async () => {
      const workspace = await requireWorkspace(client, reader.workspaceId);
      const login = reader.login ?? makeLoginName();
      const password = reader.login === null ? makePassword() : null;
      await withRights(client, login, async () => {
        await client.query('select prepare_readers()');
        if (password !== null) await createLogin(client, login, scramVerifier(password));
        else await requireReadingLogin(client, login);
      });
      await bind(client, login, reader);
      return { login, password, workspace };
    }),
  );
}

async function requireWorkspace(client: pg.Client, id: number): Promise<string> {
  const [found] = await asSystem<{ name: string }>(
    client,
    'select name from workspaces where id = $1 and delete_at is null',
    [id],
  );
  if (found === undefined)
    throw new CommandError(
      `There is no workspace ${id}. GET /workspace shows the id of a workspace, GET ` +
        '/admin/workspaces all of them.',
    );
  return found.name;
}

async function requireReadingLogin(client: pg.Client, login: string): Promise<void> {
  const found = await findLogin(client, login);
  if (!found?.readsOnly || !found.canLogIn) throw refuseLogin(login);
}

async function bind(
  client: pg.Client,
  login: string,
  { workspaceId, label, now }: NewReader,
): Promise<void> {
  const bound = await asSystem(
    client,
    `insert into reader_logins (login, workspace_id, label, created_at)
     values ($1, $2, $3, $4) on conflict (login) do nothing returning login`,
    [login, workspaceId, label, now],
  );
  if (bound.length === 0)
    throw new CommandError(`${login} reads a workspace already. Revoke it first.`);
  await writeReaderAudit(client, { workspaceId, login, action: 'reader.created', now });
}
