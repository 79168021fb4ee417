import type pg from 'pg';
import { quoteName } from './read-tables.ts';
import { RestoreRefusedError } from './restore-refused-error.ts';
import { findUnfinishedRestore, restoreSchema } from './unfinished-restore.ts';

/**
 * Throws while the product uses the database, and for data that may not be replaced. Rows that an
 * interrupted restore has written are no data.
 */
export async function requireUnused(
  client: pg.Client,
  { replaces }: { replaces: boolean },
): Promise<{ hasData: boolean }> {
  const { rows } = await client.query<{ name: string; sessions: number }>(
    `select application_name as name, count(*)::int as sessions from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and application_name ^@ 'toprung-' group by 1`,
  );
  if (rows.length > 0)
    throw new RestoreRefusedError(
      'The product is using this database. Stop every process of it, then restore.',
    );
  const { tables, isOurs, accounts } = await readContents(client);
  if (tables > 0 && !isOurs)
    throw new RestoreRefusedError(
      'The database has tables of another program. Restore into a database of its own.',
    );
  const hasData = accounts > 0 && (await findUnfinishedRestore(client)) === null;
  if (hasData && !replaces)
    throw new RestoreRefusedError(
      `The database has data (${accounts} ${accounts === 1 ? 'account' : 'accounts'}). ` +
        '--replace deletes all of it and restores the backup.',
    );
  return { hasData };
}

/** An instance that nobody has signed up to has nothing to lose. */
async function readContents(
  client: pg.Client,
): Promise<{ tables: number; isOurs: boolean; accounts: number }> {
  const { rows } = await client.query<{ tables: number; isOurs: boolean }>(
    `select count(*)::int as tables, count(*) filter (where relname in ('migrations', 'users',
       'workspaces', 'rank_months')) = 4 as "isOurs"
     from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass
         and d.objid = c.oid and d.deptype = 'e')`,
  );
  const { tables, isOurs } = rows[0]!;
  if (!isOurs) return { tables, isOurs, accounts: 0 };
  const counted = await client.query<{ accounts: number }>(
    'select count(*)::int as accounts from users',
  );
  return { tables, isOurs, accounts: counted.rows[0]!.accounts };
}

/**
 * Drops tables, views, types and functions of `public`, except those of extensions, the views for
 * readers, the queue, which is filled again from rows, and the steps of a restore. Inside the
 * caller's transaction.
 */
export async function dropEverything(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ kind: string; name: string }>(
    `with objects as (
       select 'pg_class'::regclass as catalogue, oid, 1 as rank,
         case relkind when 'v' then 'view' when 'm' then 'materialized view' else 'table' end
           as kind, format('%I.%I', 'public', relname) as name
       from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
       union all select 'pg_proc'::regclass, oid, 2, 'routine', oid::regprocedure::text
       from pg_proc where pronamespace = 'public'::regnamespace
       union all select 'pg_class'::regclass, oid, 3, 'sequence', format('%I.%I', 'public', relname)
       from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'
       union all select 'pg_type'::regclass, t.oid, 4, 'type', format('%I.%I', 'public', t.typname)
       from pg_type t left join pg_class c on c.oid = t.typrelid
       where t.typnamespace = 'public'::regnamespace and t.typtype in ('c', 'e', 'd')
         and (c.oid is null or c.relkind = 'c')
     )
     select kind, name from objects o where not exists (select from pg_depend d
       where d.classid = o.catalogue and d.objid = o.oid and d.deptype = 'e')
     order by rank, name`,
  );
  for (const { kind, name } of rows) await client.query(`drop ${kind} if exists ${name} cascade`);
  for (const schema of ['bullmq', 'reader', restoreSchema])
    await client.query(`drop schema if exists ${quoteName(schema)} cascade`);
}
