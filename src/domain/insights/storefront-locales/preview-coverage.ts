import type { z } from 'zod';
import type { coveragePreview, storefrontLocales } from '#contract/storefront-locales.ts';
import { countCharacters } from '#lib/text.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readDevice } from '#domain/base/device.ts';
import { invalid } from '#domain/base/errors.ts';
import { listMissingWords, wordFinder } from '#lib/phrase-words.ts';
import { loadLiveKeywords } from '#domain/tracking/serps/live-keywords.ts';
import { getAppWithField } from '../keyword-field/app-with-field.ts';
import { loadLive } from '../listing-drafts/list-live.ts';
import type { DraftTexts } from '../listing-drafts/save-texts.ts';
import { readKeywordScores } from '../scores/keyword-scores.ts';
import { coverPhrase, findRepeated, maxPhrases, searched } from './get-coverage.ts';
import { listRows } from './storefront-locales.ts';

type Operation = (typeof storefrontLocales)['POST /apps/{id}/locale-coverage/preview'];
type Preview = z.input<typeof coveragePreview>;

/**
 * The coverage of a storefront's tracked phrases by the live listing, and by it with the given
 * texts instead. Throws not_found, and invalid_request for a locale that is named twice or an app
 * of a store without keyword fields.
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
    const app = await getAppWithField(tx, ctx, appId);
    const country = query.country ?? app.primaryCountry;
    const device = readDevice('query.device', query.device, app.store);
    const live = new Map((await loadLive(tx, ctx, app)).map((one) => [one.locale, one.texts]));
    const rows = (await listRows(tx, ctx, country)).filter(({ enabled }) => enabled);
    const states = rows.map(({ locale }) => {
      const [before, changed] = [live.get(locale), texts.get(locale)];
      return { locale, before, after: { ...before, ...changed }, isLiveKnown: Boolean(before) };
    });
    const finderOf = (side: 'before' | 'after') =>
      states.map((state) => ({
        locale: state.locale,
        holds: wordFinder(searched(state[side])),
      }));
    const [before, after] = [finderOf('before'), finderOf('after')];
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
      locales: states.map(({ locale, after: texts, isLiveKnown }) => ({
        locale,
        isLiveKnown,
        freeCharacters: Math.max(0, app.maxCharacters - countCharacters(texts.keywordField ?? '')),
      })),
      phrases,
      covered: phrases.filter(({ coveredBy }) => coveredBy.length > 0).length,
      liveCovered: phrases.filter(({ liveCoveredBy }) => liveCoveredBy.length > 0).length,
      total: phrases.length,
      repeatedWords: findRepeated(states.map(({ locale, after: texts }) => ({ locale, texts }))),
    };
  });
}
