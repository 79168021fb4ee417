import type { z } from 'zod';
import { draftFields, type draftTexts, type listingDrafts } from '#contract/listing-drafts.ts';
import { lockApp } from '#db/queries/apps/apps.ts';
import {
  insertDraftVersion,
  listNewestVersions,
} from '#db/queries/listing-drafts/draft-versions.ts';
import { assertUnchanged } from '#domain/base/assert-unchanged.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { getDraftRow, presentDraft, type DraftRecord } from './present-draft.ts';

type Input = z.output<(typeof listingDrafts)['PUT /listing-drafts/{id}/texts']['body']>;
export type DraftTexts = z.output<typeof draftTexts>;

/** The maximum of locales of a draft. */
const maxLocales = 100;

/**
 * Saves the texts of locales, all or nothing. Without If-Match, the later of two saves of a locale
 * wins. Throws not_found, precondition_failed, and invalid_request for a locale that is named
 * twice, text that cannot be stored, or one locale too many.
 */
export function saveDraftTexts(ctx: Ctx, id: number, { locales }: Input): Promise<DraftRecord> {
  const named = new Set<string>();
  for (const [index, { locale, texts }] of locales.entries()) {
    if (named.has(locale)) throw invalid(`locales.${index}.locale`, 'each locale once', locale);
    named.add(locale);
    for (const field of draftFields)
      assertStorable(`locales.${index}.texts.${field}`, texts[field]);
  }
  return inTenant(ctx, async (tx) => {
    const { appId } = await getDraftRow(tx, ctx, id);
    await lockApp(tx, ctx.workspaceId, appId);
    assertUnchanged(ctx, presentDraft(await getDraftRow(tx, ctx, id)));
    const saved: string[] = [];
    const newest = await listNewestVersions(tx, ctx.workspaceId, { draftId: id });
    const known = new Map(
      newest.map(({ locale, texts }) => [locale, sortTexts(texts as DraftTexts)]),
    );
    for (const { locale, texts } of locales) {
      const sorted = sortTexts(texts);
      if (JSON.stringify(sorted) === JSON.stringify(known.get(locale) ?? {})) continue;
      known.set(locale, sorted);
      saved.push(locale);
      await insertDraftVersion(tx, ctx.workspaceId, {
        draftId: id,
        locale,
        texts: sorted,
        savedAt: ctx.clock.now(),
        savedBy: ctx.actor.userId,
      });
    }
    if (known.size > maxLocales)
      throw invalid('locales', `at most ${maxLocales} locales in a draft`, known.size, maxLocales);
    if (saved.length > 0)
      await writeAudit(tx, ctx, {
        action: 'listing_draft.changed',
        subject: `app ${appId}`,
        detail: { draft: id, locales: saved.join(', ') },
      });
    return presentDraft(await getDraftRow(tx, ctx, id));
  });
}

/** The texts in the order of the fields, so that equal ones have equal JSON. */
function sortTexts(texts: DraftTexts): DraftTexts {
  return Object.fromEntries(
    draftFields.flatMap((field) => (texts[field] === undefined ? [] : [[field, texts[field]]])),
  );
}
