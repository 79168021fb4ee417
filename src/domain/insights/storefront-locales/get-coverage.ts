import type { z } from 'zod';
import type { localeCoverage } from '#contract/storefront-locales.ts';
import { listFieldKeywords } from '#db/queries/keyword-field/keyword-field.ts';
import {
  listNewestVersions,
  type DraftVersionRow,
} from '#db/queries/listing-drafts/draft-versions.ts';
import { listDrafts } from '#db/queries/listing-drafts/listing-drafts.ts';
import { countCharacters } from '#lib/text.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readDevice } from '#domain/base/device.ts';
import { notFound } from '#domain/base/errors.ts';
import { listingTexts, profileOf, type StoreName } from '#domain/base/ports.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { listMissingWords, listWords, wordFinder } from '#lib/phrase-words.ts';
import type { DraftTexts } from '../listing-drafts/save-texts.ts';
import { listShownLocales } from './shown-locales.ts';

export type LocaleCoverage = z.input<typeof localeCoverage>;

interface Query {
  country?: string | undefined;
  device?: string | undefined;
  draftId?: number | undefined;
}

export const maxPhrases = 1_000;
const maxRepeated = 500;

/**
 * The coverage of a country's tracked phrases by the current draft, or another one. A store without
 * storefront locales shows one locale there. Throws not_found, and invalid_request for a device.
 */
export function getLocaleCoverage(ctx: Ctx, appId: number, query: Query): Promise<LocaleCoverage> {
  return inTenant(ctx, async (tx) => {
    const app = await getApp(tx, ctx, appId);
    const country = query.country ?? app.primaryCountry;
    const device = readDevice('query.device', query.device, app.store);
    const drafts = await listDrafts(tx, ctx.workspaceId, appId);
    const draft = drafts.find(({ id, isCurrent }) =>
      query.draftId === undefined ? isCurrent : id === query.draftId,
    );
    if (query.draftId !== undefined && !draft) throw notFound();
    const versions = draft
      ? await listNewestVersions(tx, ctx.workspaceId, { draftId: draft.id })
      : [];
    const shown = await listShownLocales(tx, ctx, { app, country, changes: listTexts(versions) });
    const locales = shown.map(({ locale, changed }) => ({ locale, texts: changed }));
    const field = profileOf(app.store).texts.keywordField;
    const keywords = await listFieldKeywords(tx, ctx.workspaceId, { appId, country, device });
    const found = locales.map(({ locale, texts: drafted }) => ({
      locale,
      holds: wordFinder(searchedText(app.store, drafted)),
    }));
    const phrases = keywords.slice(0, maxPhrases).map(({ id, phrase }) => ({
      keywordId: id,
      phrase,
      ...coverPhrase(phrase, found),
    }));
    return {
      country,
      draftId: draft?.id ?? null,
      locales: shown.map(({ locale, insteadOf, changed }) => ({
        locale,
        insteadOf,
        isDrafted: changed !== undefined,
        freeCharacters:
          field && changed
            ? Math.max(0, field.max - countCharacters(changed.keywordField ?? ''))
            : null,
      })),
      phrases,
      covered: phrases.filter(({ coveredBy }) => coveredBy.length > 0).length,
      total: phrases.length,
      repeatedWords: findRepeated(app.store, locales),
    };
  });
}

/** The texts of a draft by locale, without locales that were removed from it. */
export const listTexts = (
  versions: readonly Pick<DraftVersionRow, 'locale' | 'texts'>[],
): Map<string, DraftTexts> =>
  new Map(
    versions.flatMap(({ locale, texts }) =>
      Object.keys(texts as DraftTexts).length === 0 ? [] : [[locale, texts as DraftTexts]],
    ),
  );

export interface LocaleText {
  locale: string;
  texts: DraftTexts | undefined;
}

/** The texts by which a store finds an app. */
export function searchedText(store: StoreName, texts: DraftTexts | undefined): string {
  const profile = profileOf(store).texts;
  return listingTexts
    .filter((name) => profile[name]?.isSearched)
    .map((name) => (name === 'keywordField' ? texts?.[name]?.replaceAll(',', '\n') : texts?.[name]))
    .join('\n');
}

/** The locales that have every word of a phrase alone, or the words that the nearest one lacks. */
export function coverPhrase(
  phrase: string,
  locales: readonly { locale: string; holds: (word: string) => boolean }[],
): { coveredBy: string[]; missing: string[] } {
  const lacking = locales.map(({ locale, holds }) => ({
    locale,
    missing: listMissingWords(phrase, holds),
  }));
  const [nearest] = lacking.toSorted((one, other) => one.missing.length - other.missing.length);
  return {
    coveredBy: lacking.filter(({ missing }) => missing.length === 0).map(({ locale }) => locale),
    missing: nearest?.missing ?? listMissingWords(phrase, () => false),
  };
}

export function findRepeated(
  store: StoreName,
  locales: readonly LocaleText[],
): { word: string; locales: string[] }[] {
  const byWord = new Map<string, string[]>();
  for (const { locale, texts } of locales)
    for (const word of listWords(searchedText(store, texts)))
      byWord.set(word, [...(byWord.get(word) ?? []), locale]);
  return [...byWord]
    .filter(([, having]) => having.length > 1)
    .slice(0, maxRepeated)
    .map(([word, having]) => ({ word, locales: having }));
}
