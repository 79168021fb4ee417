import type { z } from 'zod';
import type { annotations } from '#contract/annotations.ts';
import type { Tx } from '#db/database.ts';
import {
  countAnnotations,
  countKeywordsOfApp,
  deleteAnnotation as deleteAnnotationRow,
  insertAnnotation,
  lockAnnotation,
  updateAnnotationRow,
} from '#db/queries/annotations/annotations.ts';
import { lockApp } from '#db/queries/apps/apps.ts';
import { getApp } from '../apps/get-app.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { assertUnchanged } from '#domain/base/assert-unchanged.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { presentAnnotation, type AnnotationRecord } from './list-annotations.ts';

type NewAnnotation = z.output<(typeof annotations)['POST /apps/{id}/annotations']['body']>;
type UpdateAnnotationInput = z.output<(typeof annotations)['PATCH /annotations/{id}']['body']>;

/** The maximum of annotations on one app. */
const maxAnnotations = 2_000;

/**
 * Throws not_found, also for a keyword of another app, and invalid_request for text that cannot be
 * stored or one annotation too many.
 */
export async function createAnnotation(
  ctx: Ctx,
  appId: number,
  { date, text, keywordIds = [] }: NewAnnotation,
): Promise<AnnotationRecord> {
  assertStorable('text', text);
  return inTenant(ctx, async (tx) => {
    await getApp(tx, ctx, appId);
    // Serializes two calls that add the last allowed annotation at once.
    await lockApp(tx, ctx.workspaceId, appId);
    const count = await countAnnotations(tx, ctx.workspaceId, { appId });
    if (count >= maxAnnotations)
      throw invalid(
        'text',
        `at most ${maxAnnotations} annotations on an app; delete one first`,
        count + 1,
        maxAnnotations,
      );
    const own = await readKeywordIds(tx, ctx, { appId, keywordIds });
    return presentAnnotation(
      await insertAnnotation(tx, ctx.workspaceId, {
        appId,
        date,
        text,
        keywordIds: own,
        createdAt: ctx.clock.now(),
      }),
    );
  });
}

/** Omitted members stay unchanged. Throws precondition_failed, and like `createAnnotation`. */
export async function updateAnnotation(
  ctx: Ctx,
  id: number,
  change: UpdateAnnotationInput,
): Promise<AnnotationRecord> {
  assertStorable('text', change.text);
  return inTenant(ctx, async (tx) => {
    const row = await lockAnnotation(tx, ctx.workspaceId, id);
    if (!row) throw notFound();
    assertUnchanged(ctx, row);
    const keywordIds =
      change.keywordIds === undefined
        ? row.keywordIds
        : await readKeywordIds(tx, ctx, {
            appId: row.appId,
            keywordIds: change.keywordIds,
            known: row.keywordIds,
          });
    const changed = {
      ...row,
      date: change.date ?? row.date,
      text: change.text ?? row.text,
      keywordIds,
    };
    await updateAnnotationRow(tx, ctx.workspaceId, changed);
    return presentAnnotation(changed);
  });
}

/** Throws not_found. */
export async function deleteAnnotation(
  ctx: Ctx,
  id: number,
): Promise<{ id: number; deleted: true }> {
  const wasThere = await inTenant(ctx, (tx) => deleteAnnotationRow(tx, ctx.workspaceId, id));
  if (!wasThere) throw notFound();
  return { id, deleted: true };
}

interface KeywordIds {
  appId: number;
  keywordIds: readonly number[];
  known?: readonly number[];
}

/**
 * Removes duplicates and sorts. Throws not_found, except for the known ones: an annotation may name
 * keywords that were deleted.
 */
async function readKeywordIds(
  tx: Tx,
  ctx: Ctx,
  { appId, keywordIds, known = [] }: KeywordIds,
): Promise<number[]> {
  const own = [...new Set(keywordIds)].toSorted((a, b) => a - b);
  const added = own.filter((id) => !known.includes(id));
  if (
    added.length > 0 &&
    (await countKeywordsOfApp(tx, ctx.workspaceId, appId, added)) < added.length
  )
    throw notFound();
  return own;
}
