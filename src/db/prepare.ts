import pg from 'pg';

/** Makes the database on our own server; `anew` throws away the one there is. Both names are ours, never a caller's. */
export async function createDatabase(url: string, name: 'toprung', anew: boolean): Promise<void> {
  await withClient(url, async (client) => {
    if (anew) await client.query(`drop database if exists ${name} with (force)`);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
  });
}

/** On our own server the roles sign in themselves, so that no connection of the product is ever a superuser's. */
export async function letRolesIn(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query(
      "select from pg_roles where rolname in ('toprung_app', 'toprung_system') and not rolcanlogin",
    );
    if (rowCount)
      await client.query('alter role toprung_app login; alter role toprung_system login');
  });
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 4_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
