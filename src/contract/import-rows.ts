import { z } from 'zod';
import { country, id, note, storeName, tags, textOf, utcDay, instant } from './common.ts';
import { depth, position } from './rankings.ts';
import { tagColor } from './tags.ts';

/** The first line of an export. */
export const manifestLine = z.object({
  manifest: z.object({ format: z.literal('toprung-workspace'), version: z.literal(1) }),
});
export const endLine = z.strictObject({ end: z.strictObject({ lines: z.int().min(1), sha256: z.string().regex(/^[0-9a-f]{64}$/) }) });
export const rowLine = z.strictObject({ table: z.string().regex(/^[a-z_]{1,60}$/), row: z.record(z.string(), z.unknown()) });

const text = (max: number) => textOf(max, z.string());

/** As much of the rows of an export as an import takes; members that are not named are passed over. */
export const importedRows = {
  tag_styles: z.object({ name: text(40).min(1), color: tagColor.nullable() }),
  apps: z.object({
    id,
    listing: z.object({ store: storeName, storeAppId: z.string().min(1).max(200) }),
    primary_country: country,
    display_name: text(200).nullable(),
    tags,
    note: note.nullable(),
    archived_at: z.string().nullable(),
  }),
  keywords: z.object({
    id,
    app_id: id,
    phrase: text(100).min(1),
    country,
    depth,
    paused: z.boolean(),
    favorite: z.boolean(),
    tags,
    note: note.nullable(),
    archived_at: z.string().nullable(),
  }),
  annotations: z.object({ app_id: id, on_date: utcDay, text: text(500).min(1), keyword_ids: z.array(id).max(1_000) }),
  keyword_fields: z.object({ app_id: id, locale: z.string().regex(/^[A-Za-z]{2,8}([-_][A-Za-z0-9]{2,8}){0,2}$/), text: text(1_000) }),
  rankings: z
    .object({ keywordId: id, date: utcDay, position, depth, checkedAt: instant })
    .refine((cell) => (cell.position ?? 0) <= cell.depth, 'a position within its depth'),
};

export type ImportedTableName = keyof typeof importedRows;
export type ImportedRow<Name extends ImportedTableName> = z.output<(typeof importedRows)[Name]>;
