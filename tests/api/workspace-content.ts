import { createHash } from 'node:crypto';
import type pg from 'pg';
import { tenantTables, type TenantTable } from '#domain/transfer/exports/exported-tables.ts';

type Restored = Extract<TenantTable, { is: 'restored' }>;
type Json = Record<string, unknown>;

export const restoredTables = tenantTables.filter(
  (table): table is Restored => table.is === 'restored',
);

/** A table of a workspace, described independently of ids. */
export interface Content {
  rows: string[];
  hash: string;
}

/**
 * The content of a workspace's restored tables, read directly: ids replaced by the names of their
 * targets in columns, JSON and text; without secrets and without values declared to start fresh.
 */
export async function readContent(
  pool: pg.Pool,
  workspaceId: number,
): Promise<Record<string, Content>> {
  const names = await readNames(pool, workspaceId);
  const contents = restoredTables.map(async (table) => {
    const { rows } = await pool.query<{ row: Json }>(
      `select to_jsonb(t) as row from "${table.name}" t where workspace_id = $1 order by ` +
        `${table.order.map((column) => `"${column}"`).join(', ')}`,
      [workspaceId],
    );
    const texts = rows.map(({ row }) => write(clean(table, row), names));
    // Where no id gives an order, rows are ordered by the name of the id they refer to.
    const inOrder =
      table.order[0] === 'id' || table.order[0] === 'sequence' ? texts : texts.toSorted();
    return [
      table.name,
      { rows: inOrder, hash: createHash('sha256').update(inOrder.join('\n')).digest('hex') },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(contents));
}

export const hashesOf = (content: Record<string, Content>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(content).map(([table, { rows, hash }]) => [table, `${rows.length} ${hash}`]),
  );

/**
 * Names of everything with an id in a workspace, by the id, which is no other number in these
 * tests.
 */
async function readNames(pool: pg.Pool, workspaceId: number): Promise<Map<string, string>> {
  const named: [string, string][] = [
    [
      'app',
      "select a.id, l.store || ' ' || l.store_app_id as name from apps a join listings l on " +
        'l.id = a.listing_id where a.workspace_id = $1',
    ],
    [
      'keyword',
      `select k.id, l.store_app_id || ' ' || k.country || ' ' || k.phrase as name
       from keywords k join apps a on a.id = k.app_id join listings l on l.id = a.listing_id
         where k.workspace_id = $1`,
    ],
    [
      'competitor',
      `select c.id, o.store_app_id || ' and ' || l.store_app_id as name from competitors c
         join listings l on l.id = c.listing_id
       join apps a on a.id = c.app_id join listings o on o.id = a.listing_id
         where c.workspace_id = $1`,
    ],
    ...[
      'annotations',
      'keyword_fields',
      'listing_drafts',
      'listing_draft_versions',
      'webhooks',
      'actions',
      'events',
    ].map((table): [string, string] => [
      table,
      `select id::float8 as id, row_number() over (order by t.id)::text as name
         from ${table} t where workspace_id = $1`,
    ]),
    [
      'review',
      `select id::float8 as id, country || ' ' || store_review_id as name from reviews
       where $1::int is not null
       union all
       select (item->>'id')::float8, concat_ws(' ', item->>'country', item->>'storeReviewId')
       from imported_facts cross join jsonb_array_elements(items) as item
       where kind = 'reviews' and workspace_id = $1`,
    ],
    [
      'listing',
      "select id, store || ' ' || store_app_id as name from listings where $1::int is not null",
    ],
    [
      'market',
      "select id, store || ' ' || country || ' ' || phrase as name from markets where " +
        '$1::int is not null',
    ],
  ];
  const names = new Map<string, string>();
  for (const [kind, query] of named) {
    const { rows } = await pool.query<{ id: number | bigint; name: string }>(query, [workspaceId]);
    for (const { id, name } of rows) names.set(String(id), `<${kind} ${name}>`);
  }
  return names;
}

/** Without the values that are declared to differ. */
function clean(table: Restored, row: Json): Json {
  const content: Json = {
    ...row,
    ...(typeof row['body'] === 'string' && { body: JSON.parse(row['body']) }),
  };
  if (table.names?.includes('since'))
    content['tracked_since'] = row['tracked_since'] ?? row['created_at'];
  for (const column of ['workspace_id', ...(table.secret ?? [])]) delete content[column];
  // Stored days have no fractions of a second.
  if (typeof content['latest_at'] === 'string')
    content['latest_at'] = content['latest_at'].slice(0, 19);
  for (const path of Object.keys(table.anew ?? {})) {
    const members = path.split('.');
    const last = members.pop()!;
    const holder = members.reduce<unknown>(
      (value, member) => (value as Json | undefined)?.[member],
      content,
    );
    if (typeof holder === 'object' && holder !== null) delete (holder as Json)[last];
  }
  return content;
}

/** The pattern of ids in these tests; those of imported facts begin with 4503. */
export const anyId = /(?:gone-)?(?<!\d)(?:2[01]\d{8}|45035996\d{8})(?!\d)/g;

/** Deleted targets are equal everywhere. */
function write(content: Json, names: Map<string, string>): string {
  const members = Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(members)).replace(
    anyId,
    (id) => names.get(id) ?? '<gone>',
  );
}
