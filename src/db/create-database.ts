import { withClient } from './driver/with-client.ts';

/**
 * Creates the database on the embedded server; `anew` drops an existing one first. The name is not
 * escaped in the SQL, so only our own names are allowed.
 */
export async function createDatabase(url: string, name: 'toprung', anew: boolean): Promise<void> {
  await withClient(url, async (client) => {
    if (anew) await client.query(`drop database if exists ${name} with (force)`);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
  });
}

/**
 * On the embedded server the roles sign in themselves, so no connection of the product belongs to a
 * superuser.
 */
export async function allowRoleLogins(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query(
      "select from pg_roles where rolname in ('toprung_app', 'toprung_system') and not rolcanlogin",
    );
    if (rowCount)
      await client.query('alter role toprung_app login; alter role toprung_system login');
  });
}
