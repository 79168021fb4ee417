import { randomBytes, randomInt } from 'node:crypto';
import pg from 'pg';
import { CommandError } from '#lib/command-error.ts';
import { handMadeLoginSql, loginSettings, maxConnections } from './login-settings.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
export const missingRight = '42501';

/** A login says nothing about its workspace, because every login of a server sees all names. */
export function makeLoginName(): string {
  const suffix = Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]);
  return `toprung_reader_${suffix.join('')}`;
}

export const makePassword = (): string => randomBytes(24).toString('base64url');

/** Without a verifier of its password nobody can log in. */
export async function createLogin(
  client: pg.Client,
  login: string,
  verifier: string | null,
): Promise<void> {
  const name = pg.escapeIdentifier(login);
  const access = verifier === null ? 'nologin' : `login password ${pg.escapeLiteral(verifier)}`;
  await client.query(
    `create role ${name} ${access} nosuperuser nocreatedb nocreaterole noreplication ` +
      `nobypassrls connection limit ${maxConnections}`,
  );
  await client.query(`grant toprung_reader to ${name} with inherit true, set false`);
  // The periodic task that ends long statements needs the right to do so.
  await client.query(`grant ${name} to toprung_system with inherit true, set false`);
  for (const [setting, value] of Object.entries(loginSettings))
    await client.query(`alter role ${name} set ${setting} = ${pg.escapeLiteral(value)}`);
  await limitTemporaryFiles(client, name);
}

export async function setPassword(
  client: pg.Client,
  login: string,
  verifier: string,
): Promise<void> {
  await client.query(
    `alter role ${pg.escapeIdentifier(login)} login password ${pg.escapeLiteral(verifier)}`,
  );
}

/** Only a superuser may set the limit. */
async function limitTemporaryFiles(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_roles where rolname = current_user and rolsuper',
  );
  if (rowCount === 1) await client.query(`alter role ${name} set temp_file_limit = '1GB'`);
}

export interface FoundLogin {
  /** False for a role that could do more than read the views: it would see other workspaces. */
  readsOnly: boolean;
  canLogIn: boolean;
}

/** The role of this name; null without one. `toprung_reader` has to exist. */
export async function findLogin(client: pg.Client, login: string): Promise<FoundLogin | null> {
  const { rows } = await client.query<FoundLogin>(
    `select pg_has_role(r.oid, 'toprung_reader', 'usage') and r.rolname <> 'toprung_reader'
         and not (r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb
           or r.rolreplication)
         and not exists (select from pg_auth_members m where m.member = r.oid
           and m.roleid <> 'toprung_reader'::regrole) as "readsOnly",
       r.rolcanlogin as "canLogIn"
     from pg_roles r where r.rolname = $1`,
    [login],
  );
  return rows[0] ?? null;
}

export const refuseLogin = (login: string): CommandError =>
  new CommandError(
    `${login} is not a login that may only read the views. Run as an administrator of the ` +
      `server:\n${handMadeLoginSql(login)}`,
  );

/** Without the right to create roles, the administrator of the server creates them. */
export async function withRights(
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
