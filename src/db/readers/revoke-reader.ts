import pg from 'pg';
import { CommandError } from '#lib/command-error.ts';
import { missingRight } from './login-roles.ts';
import { asSystem, inReaderTransaction, withReaderClient } from './reader-client.ts';
import { writeReaderAudit } from './reader-audit.ts';

export interface RevokedReader {
  workspaceId: number | null;
  /** For an administrator, when we may not drop the login; it reads nothing all the same. */
  statementByHand: string | null;
}

/**
 * Unbinds the login, ends its connections and drops it. From the commit on it reads nothing.
 * Throws CommandError when no reader has this name.
 */
export function revokeReader(url: string, login: string, now: Date): Promise<RevokedReader> {
  return withReaderClient(url, async (client) => {
    const workspaceId = await inReaderTransaction(client, () => unbind(client, login, now));
    const isDropped = await dropLogin(client, login, { wasBound: workspaceId !== null });
    const statementByHand = isDropped ? null : `drop role ${pg.escapeIdentifier(login)};`;
    return { workspaceId, statementByHand };
  });
}

async function unbind(client: pg.Client, login: string, now: Date): Promise<number | null> {
  const [bound] = await asSystem<{ workspaceId: number }>(
    client,
    'delete from reader_logins where login = $1 returning workspace_id as "workspaceId"',
    [login],
  );
  if (bound !== undefined) {
    const { workspaceId } = bound;
    await writeReaderAudit(client, { workspaceId, login, action: 'reader.revoked', now });
    return workspaceId;
  }
  if (!(await isReadingLogin(client, login, { needsLogin: true })))
    throw new CommandError(`There is no reader ${login}. \`toprung reader list\` shows all.`);
  return null;
}

/** No other role is ever dropped, whatever name is given. */
async function isReadingLogin(
  client: pg.Client,
  login: string,
  { needsLogin }: { needsLogin: boolean },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_roles r join pg_auth_members m on m.member = r.oid
     where r.rolname = $1 and (r.rolcanlogin or not $2)
       and m.roleid = to_regrole('toprung_reader')`,
    [login, needsLogin],
  );
  return rowCount === 1;
}

/** A login without a password is dropped only if it was bound. */
async function dropLogin(
  client: pg.Client,
  login: string,
  { wasBound }: { wasBound: boolean },
): Promise<boolean> {
  const name = pg.escapeIdentifier(login);
  try {
    if (!(await isReadingLogin(client, login, { needsLogin: !wasBound }))) return true;
    await client.query(`alter role ${name} nologin`);
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1',
      [login],
    );
    await client.query(`drop role ${name}`);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== missingRight) throw error;
    return false;
  }
}
