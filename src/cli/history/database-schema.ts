import type { DatabaseSync } from 'node:sqlite';

/** The columns of each table, by its name. Views are left out: they may run anything. */
export type DatabaseSchema = ReadonlyMap<string, readonly string[]>;

export function readSchema(database: DatabaseSync): DatabaseSchema {
  const tables = database
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .all() as { name: string }[];
  const columns = database.prepare('select name from pragma_table_info(?)');
  return new Map(
    tables.map(({ name }) => [
      name,
      (columns.all(name) as { name: string }[]).map((one) => one.name),
    ]),
  );
}

export const hasColumns = (
  schema: DatabaseSchema,
  table: string,
  columns: readonly string[],
): boolean => columns.every((column) => schema.get(table)?.includes(column) ?? false);

/** A name of a table or column in a statement. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
