import type { z } from 'zod';
import type { coveragePreview, storefrontLocales } from '#contract/storefront-locales.ts';
import { countCharacters } from '#lib/text.ts';
import type { Tx } from '#db/database.ts';
import { listNewestVersions } from '#db/queries/listing-drafts/draft-versions.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readDevice } from '#domain/base/device.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { listMissingWords, wordFinder } from '#lib/phrase-words.ts';
import { profileOf } from '#domain/base/ports.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { loadLiveKeywords } from '#domain/tracking/serps/live-keywords.ts';
import { getDraftRow } from '../listing-drafts/present-draft.ts';
import type { DraftTexts } from '../listing-drafts/save-texts.ts';
import { readKeywordScores } from '../scores/keyword-scores.ts';
import { coverPhrase, findRepeated, listTexts, maxPhrases, searchedText } from './get-coverage.ts';
import { listShownLocales } from './shown-locales.ts';

type Operation = (typeof storefrontLocales)['POST /apps/{id}/locale-coverage/preview'];
type Preview = z.input<typeof coveragePreview>;

/**
 * The coverage of a storefront's tracked phrases by the live listing, and by it with the given
 * texts instead. A given locale replaces that of the draft as a whole. Throws not_found, and
 * invalid_request for a locale that is named twice.
 */
export function previewCoverage(
  ctx: Ctx,
  appId: number,
  query: z.output<Operation['query']>,
  { locales }: z.output<Operation['body']>,
): Promise<Preview> {
  const texts = new Map<string, DraftTexts>();
  for (const [index, { locale, ...changed }] of locales.entries()) {
    if (texts.has(locale)) throw invalid(`locales.${index}.locale`, 'each locale once', locale);
    texts.set(locale, changed);
  }
  return inTenant(ctx, async (tx) => {
    const app = await getApp(tx, ctx, appId);
    const drafted = await readDraft(tx, ctx, { appId, draftId: query.draftId });
    const country = query.country ?? app.primaryCountry;
    const device = readDevice('query.device', query.device, app.store);
    const changes = new Map([...drafted, ...texts]);
    const shown = await listShownLocales(tx, ctx, { app, country, changes });
    const states = shown.map((one) => ({ ...one, after: { ...one.before, ...one.changed } }));
    const finderOf = (side: 'before' | 'after') =>
      states.map((state) => ({
        locale: state.locale,
        holds: wordFinder(searchedText(app.store, state[side])),
      }));
    const [before, after] = [finderOf('before'), finderOf('after')];
    const field = profileOf(app.store).texts.keywordField;
    const { keywords } = await loadLiveKeywords(tx, ctx, appId);
    const tracked = keywords
      .filter((keyword) => keyword.country === country && keyword.device === device)
      .slice(0, maxPhrases)
      .map((keyword) => ({ ...keyword, listingId: app.listingId }));
    const scores = await readKeywordScores(tx, tracked);
    const phrases = tracked.map(({ id, phrase, latestPosition }) => {
      const score = scores.get(id);
      return {
        keywordId: id,
        phrase,
        words: listMissingWords(phrase, () => false),
        ...coverPhrase(phrase, after),
        liveCoveredBy: coverPhrase(phrase, before).coveredBy,
        position: latestPosition,
        traffic: score?.traffic ?? null,
        difficulty: score?.difficulty ?? null,
        opportunity: score?.opportunity?.opportunity ?? null,
      };
    });
    return {
      country,
      device,
      locales: states.map(({ locale, insteadOf, before: live, after: changed }) => ({
        locale,
        insteadOf,
        isLiveKnown: live !== undefined,
        freeCharacters:
          field && Math.max(0, field.max - countCharacters(changed.keywordField ?? '')),
      })),
      phrases,
      covered: phrases.filter(({ coveredBy }) => coveredBy.length > 0).length,
      liveCovered: phrases.filter(({ liveCoveredBy }) => liveCoveredBy.length > 0).length,
      total: phrases.length,
      repeatedWords: findRepeated(
        app.store,
        states.map(({ locale, after: changed }) => ({ locale, texts: changed })),
      ),
    };
  });
}

/** The saved texts of a draft; none without one. Throws not_found, also for that of another app. */
async function readDraft(
  tx: Tx,
  ctx: Ctx,
  { appId, draftId }: { appId: number; draftId: number | undefined },
): Promise<Map<string, DraftTexts>> {
  if (draftId === undefined) return new Map();
  const draft = await getDraftRow(tx, ctx, draftId);
  if (draft.appId !== appId) throw notFound();
  return listTexts(await listNewestVersions(tx, ctx.workspaceId, { draftId }));
}
