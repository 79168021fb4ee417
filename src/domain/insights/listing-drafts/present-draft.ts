import type { z } from 'zod';
import { editableOfDraft, type listingDraft } from '#contract/listing-drafts.ts';
import type { Tx } from '#db/database.ts';
import { findDraft, type DraftRow } from '#db/queries/listing-drafts/listing-drafts.ts';
import { etagOf } from '#domain/base/assert-unchanged.ts';
import type { Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';

export type DraftRecord = z.input<typeof listingDraft>;

export function presentDraft({ isCurrent, createdAt, savedAt, ...row }: DraftRow): DraftRecord {
  return {
    ...row,
    current: isCurrent,
    createdAt: createdAt.toISOString(),
    savedAt: savedAt?.toISOString() ?? null,
    etag: etagOf(row, editableOfDraft),
  };
}

/** Throws not_found. */
export async function getDraftRow(tx: Tx, ctx: Ctx, id: number): Promise<DraftRow> {
  const row = await findDraft(tx, ctx.workspaceId, id);
  if (!row) throw notFound();
  return row;
}
