import type pg from 'pg';

export interface StoredTable {
  name: string;
  /** In the order of the table, without generated ones. */
  columns: string[];
  isPartitioned: boolean;
  /** Those of a range, besides the default one. */
  partitions: StoredPartition[];
}

export interface StoredPartition {
  name: string;
  from: string;
  to: string;
}

/** For rows that stay in their instance: the list of its backups belongs to them, too. */
export interface TableChoice {
  isSameInstance?: boolean;
}

/**
 * Tables that no backup contains: the migrations that ran and the readers are in its manifest, and
 * the files of an instance say nothing about another one.
 */
const listLeftOut = ({ isSameInstance }: TableChoice): string[] =>
  isSameInstance ? ['migrations'] : ['migrations', 'backups', 'parquet_exports', 'reader_logins'];

const partitions = `
  select json_agg(json_build_object('name', p.relname, 'from', bound[1], 'to', bound[2])
    order by p.relname)
  from pg_inherits i join pg_class p on p.oid = i.inhrelid,
    regexp_match(pg_get_expr(p.relpartbound, p.oid), 'FROM \\(''(.+)''\\) TO \\(''(.+)''\\)')
      as bound
  where i.inhparent = c.oid and bound is not null`;

/** Permanent tables; unlogged ones count requests of the last minutes. */
export async function readTables(
  client: pg.ClientBase,
  choice: TableChoice = {},
): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select c.relname as name, c.relkind = 'p' as "isPartitioned",
       array_agg(a.attname::text order by a.attnum) as columns,
       coalesce((${partitions}), '[]') as partitions
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relpersistence = 'p' and c.relname <> all($1)
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass
         and d.objid = c.oid and d.deptype = 'e')
     group by c.oid, c.relname, c.relkind order by c.relname`,
    [listLeftOut(choice)],
  );
  return rows;
}

/** The names of partitioned tables; none in an empty database. */
export async function readPartitionedTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
       and relkind = 'p' and not relispartition order by relname`,
  );
  return rows.map(({ name }) => name);
}

export interface StoredSequence {
  name: string;
  /** As text, because it is a bigint; null before the first use. */
  lastValue: string | null;
}

export async function readSequences(
  client: pg.ClientBase,
  choice: TableChoice = {},
): Promise<StoredSequence[]> {
  const { rows } = await client.query<StoredSequence>(
    `select sequencename as name, last_value::text as "lastValue" from pg_sequences
     where schemaname = 'public' order by sequencename`,
  );
  const leftOut = listLeftOut(choice);
  return rows.filter(({ name }) => !leftOut.some((table) => name.startsWith(`${table}_`)));
}

export interface AppliedMigration {
  name: string;
  hash: string;
}

export async function readMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select name, hash from migrations order by name',
  );
  return rows;
}

/** An identifier in SQL. Names come from the catalogue, or were compared with it. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
