import type pg from 'pg';
import { quoteName } from './read-tables.ts';

export interface ConstraintStatements {
  suspend: string[];
  /** Brings everything back and checks every foreign key. */
  restore: string[];
}

/**
 * Statements that drop foreign keys and indexes, stop triggers and lift row-level security for
 * owners, all of which would refuse, change or slow down rows on their way in; and those that
 * undo it.
 */
export async function planConstraints(client: pg.Client): Promise<ConstraintStatements> {
  const keys = await readForeignKeys(client);
  const indexes = await readIndexes(client);
  const triggered = await readTableNames(client, hasTrigger);
  const forced = await readTableNames(client, 'c.relforcerowsecurity');
  const alter = (table: string, change: string) => `alter table ${quoteName(table)} ${change}`;
  return {
    suspend: [
      ...keys.map(({ table, name }) => alter(table, `drop constraint ${quoteName(name)}`)),
      ...indexes.map(({ name }) => `drop index ${quoteName(name)}`),
      ...triggered.map((table) => alter(table, 'disable trigger user')),
      ...forced.map((table) => alter(table, 'no force row level security')),
    ],
    restore: [
      ...indexes.map(({ definition }) => definition),
      ...keys.map(({ table, name, definition }) =>
        alter(table, `add constraint ${quoteName(name)} ${definition}`),
      ),
      ...triggered.map((table) => alter(table, 'enable trigger user')),
      ...forced.map((table) => alter(table, 'force row level security')),
    ],
  };
}

/** Indexes that no constraint owns: building one costs a third of filling it row by row. */
async function readIndexes(client: pg.Client): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'i' and not c.relispartition
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
     order by c.relname`,
  );
  return rows;
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

async function readForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.connamespace = 'public'::regnamespace and k.contype = 'f' and k.conparentid = 0
     order by c.relname, k.conname`,
  );
  return rows;
}

const hasTrigger = `exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal
  and t.tgparentid = 0)`;

async function readTableNames(client: pg.Client, condition: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and ${condition}
     order by c.relname`,
  );
  return rows.map(({ name }) => name);
}
