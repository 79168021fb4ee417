import type { z } from 'zod';
import {
  draftFields,
  type DraftField,
  type listingDraftLocale,
  type listingDrafts,
} from '#contract/listing-drafts.ts';
import {
  listLiveTexts,
  listNewestVersions,
  type DraftVersionRow,
  type LiveTextsRow,
} from '#db/queries/listing-drafts/draft-versions.ts';
import { countCharacters } from '#lib/text.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { profileOf, type StoreName } from '#domain/base/ports.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { diffWords } from '#lib/word-diff.ts';
import { findLive } from './find-live.ts';
import { getDraftRow, presentDraft } from './present-draft.ts';
import type { DraftTexts } from './save-texts.ts';

type DraftWithTexts = z.input<(typeof listingDrafts)['GET /listing-drafts/{id}']['responses'][200]>;
type DraftLocale = z.input<typeof listingDraftLocale>;

/** The texts of a draft beside the stored live listing. Throws not_found. */
export function getDraft(
  ctx: Ctx,
  id: number,
  { locale }: { locale?: string | undefined },
): Promise<DraftWithTexts> {
  return inTenant(ctx, async (tx) => {
    const draft = await getDraftRow(tx, ctx, id);
    const { store } = await getApp(tx, ctx, draft.appId);
    const versions = await listNewestVersions(tx, ctx.workspaceId, {
      draftId: id,
      locale: locale ?? null,
    });
    const live = await listLiveTexts(tx, ctx.workspaceId, draft.appId);
    const texts = versions
      .filter((version) => Object.keys(version.texts as DraftTexts).length > 0)
      .map((version) => presentLocale(store, version, findLive(store, version.locale, live)));
    return { ...presentDraft(draft), texts };
  });
}

function presentLocale(
  store: StoreName,
  { locale, texts, savedAt, savedBy }: DraftVersionRow,
  live: LiveTextsRow | null,
): DraftLocale {
  const drafted = texts as DraftTexts;
  return {
    locale,
    texts: drafted,
    savedAt: savedAt.toISOString(),
    savedBy,
    live: live && { country: live.country, takenAt: live.takenAt.toISOString() },
    compared: draftFields
      .filter((field) => drafted[field] !== undefined || liveText(live, field) !== null)
      .map((field) => compare(store, field, drafted[field] ?? null, liveText(live, field))),
  };
}

/** No store shows keyword fields and promotional texts to strangers. */
function liveText(live: LiveTextsRow | null, field: DraftField): string | null {
  return live && field !== 'keywordField' && field !== 'promotionalText' ? live[field] : null;
}

function compare(
  store: StoreName,
  field: DraftField,
  draft: string | null,
  live: string | null,
): DraftLocale['compared'][number] {
  const { texts } = profileOf(store);
  const limit = field in texts ? (texts[field as keyof typeof texts]?.max ?? null) : null;
  return {
    field,
    draft,
    live,
    characters: countCharacters(draft ?? ''),
    limit,
    diff: draft === null || live === null ? null : diffWords(live, draft),
  };
}
