import type { z } from 'zod';
import type { listingDrafts } from '#contract/listing-drafts.ts';
import { lockApp } from '#db/queries/apps/apps.ts';
import {
  copyDraftTexts,
  deleteDraft as deleteDraftRow,
  insertDraft,
  listDrafts as listDraftRows,
  makeDraftCurrent,
  renameDraft,
} from '#db/queries/listing-drafts/listing-drafts.ts';
import { assertUnchanged } from '#domain/base/assert-unchanged.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { getDraftRow, presentDraft, type DraftRecord } from './present-draft.ts';

type Operations = typeof listingDrafts;
type NewDraft = z.output<Operations['POST /apps/{id}/listing-drafts']['body']>;
type DraftUpdate = z.output<Operations['PATCH /listing-drafts/{id}']['body']>;
type DraftList = z.input<Operations['GET /apps/{id}/listing-drafts']['responses'][200]>;

/** The maximum of drafts of an app. */
const maxDrafts = 20;

/** Throws not_found. */
export function listDrafts(ctx: Ctx, appId: number): Promise<DraftList> {
  return inTenant(ctx, async (tx) => {
    await getApp(tx, ctx, appId);
    const items = (await listDraftRows(tx, ctx.workspaceId, appId)).map(presentDraft);
    return { items, nextCursor: null, total: items.length };
  });
}

/**
 * Throws not_found, also for a draft of another app, and invalid_request for a name that another
 * draft has, or one draft too many.
 */
export function createDraft(
  ctx: Ctx,
  appId: number,
  { name, copyOf }: NewDraft,
): Promise<DraftRecord> {
  assertStorable('name', name);
  return inTenant(ctx, async (tx) => {
    await getApp(tx, ctx, appId);
    // Serializes two calls that create the first or the last allowed draft at once.
    await lockApp(tx, ctx.workspaceId, appId);
    const drafts = await listDraftRows(tx, ctx.workspaceId, appId);
    if (drafts.length >= maxDrafts)
      throw invalid(
        'name',
        `at most ${maxDrafts} drafts of an app; delete one first`,
        drafts.length + 1,
        maxDrafts,
      );
    if (drafts.some((draft) => draft.name === name))
      throw invalid('name', 'a name that no other draft of the app has', name);
    if (copyOf !== undefined && !drafts.some(({ id }) => id === copyOf)) throw notFound();
    const createdAt = ctx.clock.now();
    const isCurrent = drafts.length === 0;
    const id = await insertDraft(tx, ctx.workspaceId, { appId, name, isCurrent, createdAt });
    await writeAudit(tx, ctx, {
      action: 'listing_draft.created',
      subject: `app ${appId}`,
      detail: { draft: id, name },
    });
    if (copyOf !== undefined) {
      const copy = { from: copyOf, to: id, savedAt: createdAt, savedBy: ctx.actor.userId };
      await copyDraftTexts(tx, ctx.workspaceId, copy);
    }
    return presentDraft(await getDraftRow(tx, ctx, id));
  });
}

/**
 * Omitted members stay unchanged. Throws precondition_failed, and not_found and invalid_request
 * like `createDraft`.
 */
export function updateDraft(
  ctx: Ctx,
  id: number,
  { name, current }: DraftUpdate,
): Promise<DraftRecord> {
  assertStorable('name', name);
  return inTenant(ctx, async (tx) => {
    const { appId } = await getDraftRow(tx, ctx, id);
    await lockApp(tx, ctx.workspaceId, appId);
    assertUnchanged(ctx, await getDraftRow(tx, ctx, id));
    const drafts = await listDraftRows(tx, ctx.workspaceId, appId);
    if (name !== undefined && drafts.some((draft) => draft.name === name && draft.id !== id))
      throw invalid('name', 'a name that no other draft of the app has', name);
    const before = drafts.find((draft) => draft.id === id);
    const subject = `app ${appId}`;
    if (name !== undefined && name !== before?.name) {
      await renameDraft(tx, ctx.workspaceId, { id, name });
      const detail = { draft: id, name };
      await writeAudit(tx, ctx, { action: 'listing_draft.renamed', subject, detail });
    }
    if (current && !before?.isCurrent) {
      await makeDraftCurrent(tx, ctx.workspaceId, { id, appId });
      const detail = { draft: id };
      await writeAudit(tx, ctx, { action: 'listing_draft.made_current', subject, detail });
    }
    return presentDraft(await getDraftRow(tx, ctx, id));
  });
}

/** Throws not_found. */
export function deleteDraft(ctx: Ctx, id: number): Promise<{ id: number; deleted: true }> {
  return inTenant(ctx, async (tx) => {
    const { appId, name } = await getDraftRow(tx, ctx, id);
    // Serializes with saves of texts, which insert rows of the draft.
    await lockApp(tx, ctx.workspaceId, appId);
    if (!(await deleteDraftRow(tx, ctx.workspaceId, id))) throw notFound();
    await writeAudit(tx, ctx, {
      action: 'listing_draft.deleted',
      subject: `app ${appId}`,
      detail: { draft: id, name },
    });
    return { id, deleted: true };
  });
}
