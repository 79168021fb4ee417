import type { z } from 'zod';
import type { listingDrafts } from '#contract/listing-drafts.ts';
import { listDraftVersions } from '#db/queries/listing-drafts/draft-versions.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readIdCursor, writeCursor } from '#domain/base/cursor.ts';
import { getDraftRow } from './present-draft.ts';
import type { DraftTexts } from './save-texts.ts';

type Operation = (typeof listingDrafts)['GET /listing-drafts/{id}/versions'];
type VersionList = z.input<Operation['responses'][200]>;

/** Saved versions, newest first. Throws not_found and invalid_cursor. */
export function listVersions(
  ctx: Ctx,
  id: number,
  { locale, limit, cursor }: z.output<Operation['query']>,
): Promise<VersionList> {
  const list = `listing-drafts ${id} ${locale ?? ''}`;
  const beforeId = cursor === undefined ? 2_147_483_647 : readIdCursor(list, cursor);
  return inTenant(ctx, async (tx) => {
    await getDraftRow(tx, ctx, id);
    const { rows, total } = await listDraftVersions(tx, ctx.workspaceId, {
      draftId: id,
      locale: locale ?? null,
      beforeId,
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    return {
      items: page.map(({ texts, savedAt, ...row }) => ({
        ...row,
        texts: texts as DraftTexts,
        savedAt: savedAt.toISOString(),
      })),
      nextCursor: rows.length > page.length ? writeCursor(list, [page.at(-1)!.id]) : null,
      total,
    };
  });
}
