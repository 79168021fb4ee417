/**
 * A process that owns a data directory and is killed by postgres.test.ts. Prints one JSON line for
 * each step: `{ready, pid, postmaster}`, `{acked: n}` for every committed row, or `{error}`.
 */
import pg from 'pg';
import { startPostgres } from '#embedded-postgres/launch.ts';

const say = (facts: object) => process.stdout.write(`${JSON.stringify(facts)}\n`);
const silent = () => {};

try {
  const server = await startPostgres({
    dataDir: process.argv[2] ?? '',
    log: { info: silent, warn: silent, error: silent },
  });
  say({
    ready: true,
    pid: process.pid,
    postmaster: server.pid,
    uid: process.getuid?.(),
    home: server.home,
  });
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  const client = new pg.Client({ connectionString: server.superuserUrl('postgres') });
  client.on('error', silent);
  await client.connect();
  await client.query('create table if not exists committed (n bigint primary key)');
  const found = await client.query<{ n: string }>('select coalesce(max(n), 0) as n from committed');
  for (let n = Number(found.rows[0]?.n) + 1; ; n++) {
    await client.query('insert into committed values ($1)', [n]);
    say({ acked: n });
  }
} catch (error) {
  say({ error: (error as Error).name, message: (error as Error).message });
  process.exitCode = 1;
}
