import { randomBytes, randomInt } from 'node:crypto';
import pg from 'pg';
import { CommandError } from '#lib/command-error.ts';
import { asSystem, inReaderTransaction, withReaderClient } from './reader-client.ts';
import { handMadeLoginSql, loginSettings, maxConnections } from './login-settings.ts';
import { scramVerifier } from './scram-verifier.ts';
import { writeReaderAudit } from './reader-audit.ts';

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

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const missingRight = '42501';

/**
 * Creates a login that reads the views of one workspace and nothing else, or binds an existing one.
 * Throws CommandError, which says what to do.
 */
export function createReader(url: string, reader: NewReader): Promise<CreatedReader> {
  return withReaderClient(url, (client) =>
    inReaderTransaction(client, async () => {
      const workspace = await requireWorkspace(client, reader.workspaceId);
      // A login says nothing about its workspace, because every login of the server sees the names
      // of all others.
      const login = reader.login ?? `toprung_reader_${randomName()}`;
      const password = reader.login === null ? randomBytes(24).toString('base64url') : null;
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

async function createLogin(client: pg.Client, login: string, verifier: string): Promise<void> {
  const name = pg.escapeIdentifier(login);
  await client.query(
    `create role ${name} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls ` +
      `connection limit ${maxConnections} password ${pg.escapeLiteral(verifier)}`,
  );
  await client.query(`grant toprung_reader to ${name} with inherit true, set false`);
  // The periodic task that ends long statements needs the right to do so.
  await client.query(`grant ${name} to toprung_system with inherit true, set false`);
  for (const [setting, value] of Object.entries(loginSettings))
    await client.query(`alter role ${name} set ${setting} = ${pg.escapeLiteral(value)}`);
  await limitTemporaryFiles(client, name);
}

/** Only a superuser may set the limit. */
async function limitTemporaryFiles(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_roles where rolname = current_user and rolsuper',
  );
  if (rowCount === 1) await client.query(`alter role ${name} set temp_file_limit = '1GB'`);
}

/** A login with more rights than the views would see more than its workspace. */
async function requireReadingLogin(client: pg.Client, login: string): Promise<void> {
  const { rows } = await client.query<{ may: boolean; mighty: boolean; others: boolean }>(
    `select pg_has_role(r.oid, 'toprung_reader', 'usage') as may,
       r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication
         as mighty,
       exists (select from pg_auth_members m where m.member = r.oid
         and m.roleid <> 'toprung_reader'::regrole) as others
     from pg_roles r where r.rolname = $1 and r.rolcanlogin`,
    [login],
  );
  const [found] = rows;
  if (found === undefined || !found.may || found.mighty || found.others)
    throw new CommandError(
      `${login} is not a login that may only read the views. Run as an administrator of the ` +
        `server:\n${handMadeLoginSql(login)}`,
    );
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

/** Without the right to create roles, the administrator of the server creates them. */
async function withRights(
  client: pg.Client,
  login: string,
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ user: string }>('select current_user as user');
  try {
    await work();
  } catch (error) {
    if ((error as { code?: string }).code !== missingRight) throw error;
    const user = pg.escapeIdentifier(rows[0]!.user);
    throw new CommandError(
      `The user ${user} may not create roles (${(error as Error).message}). Nothing was changed. ` +
        `Run as an administrator of the server, and then this command again:\n` +
        `  alter role ${user} createrole;\n` +
        `Or create the roles by hand, set a password with \\password, and run this command with ` +
        `--login ${login}:\n${handMadeLoginSql(login, user)}`,
      { cause: error },
    );
  }
}

function randomName(): string {
  return Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('');
}
