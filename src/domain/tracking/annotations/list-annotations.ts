import type { z } from 'zod';
import { editableOfAnnotation, type annotation, type annotations } from '#contract/annotations.ts';
import {
  countAnnotations,
  listAnnotations as listAnnotationRows,
  type AnnotationRow,
} from '#db/queries/annotations/annotations.ts';
import { isUtcDay } from '#lib/dates.ts';
import { getApp } from '../apps/get-app.ts';
import { etagOf } from '#domain/base/assert-unchanged.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { AppError, invalid } from '#domain/base/errors.ts';

type Operation = (typeof annotations)['GET /apps/{id}/annotations'];
export type AnnotationRecord = z.input<typeof annotation>;
export type AnnotationList = z.input<Operation['responses'][200]>;

/**
 * Lists the annotations of an app, newest day first; all of them without a range. Throws not_found,
 * invalid_request, invalid_cursor.
 */
export async function listAnnotations(
  ctx: Ctx,
  appId: number,
  query: z.output<Operation['query']>,
): Promise<AnnotationList> {
  const { from, to, limit } = query;
  if (from !== undefined && to !== undefined && from > to)
    throw invalid('from', 'must not be after `to`', from, to);
  const list = `annotations ${appId}`;
  const after = query.cursor === undefined ? null : readListCursor(list, query.cursor);
  return inTenant(ctx, async (tx) => {
    await getApp(tx, ctx, appId);
    const rows = await listAnnotationRows(
      tx,
      ctx.workspaceId,
      { appId, from, to },
      { after, limit: limit + 1 },
    );
    const page = rows.slice(0, limit);
    const last = rows.length > page.length ? page.at(-1) : undefined;
    return {
      items: page.map(presentAnnotation),
      nextCursor: last ? writeCursor(list, [last.date, last.id]) : null,
      total: await countAnnotations(tx, ctx.workspaceId, { appId, from, to }),
    };
  });
}

function readListCursor(list: string, cursor: string): { date: string; id: number } {
  const [date, id] = readCursor(list, cursor, 2);
  if (
    typeof date !== 'string' ||
    !isUtcDay(date) ||
    typeof id !== 'number' ||
    !Number.isInteger(id) ||
    id < 1 ||
    id > 2_147_483_647
  ) {
    throw new AppError('invalid_cursor');
  }
  return { date, id };
}

export function presentAnnotation(row: AnnotationRow): AnnotationRecord {
  const etag = etagOf(row, editableOfAnnotation);
  return { ...row, createdAt: row.createdAt.toISOString(), etag };
}
