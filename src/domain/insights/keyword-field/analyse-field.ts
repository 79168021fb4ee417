import type { z } from 'zod';
import type { keywordFieldAnalysis } from '#contract/keyword-field.ts';
import type { Tx } from '#db/database.ts';
import { findFieldVersion, listFieldKeywords } from '#db/queries/keyword-field/keyword-field.ts';
import { findListingTexts, type ListingTextsRow } from '#db/queries/suggestions/suggestions.ts';
import { countCharacters } from '#lib/text.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readDevice } from '#domain/base/device.ts';
import { listStoredCandidates } from '../suggestions/stored-candidates.ts';
import { combineWords } from './combine-words.ts';
import { maxSentCharacters, readFieldText } from './field-text.ts';
import { fillFree, type FillCandidate } from './fill-free.ts';
import { getAppWithField, type AppWithField } from './app-with-field.ts';
import { countWasted, evaluateWords } from './evaluate-words.ts';

interface Market {
  country?: string | undefined;
  device?: string | undefined;
}

export type FieldAnalysis = z.input<typeof keywordFieldAnalysis>;

/**
 * Analyses the saved field in a country, by default the app's primary one, and on a device. Throws
 * not_found, and invalid_request where the store has no keyword fields.
 */
export function analyseSavedField(
  ctx: Ctx,
  appId: number,
  query: Market & { locale: string },
): Promise<FieldAnalysis> {
  return inTenant(ctx, async (tx) => {
    const app = await getAppWithField(tx, ctx, appId);
    const version = await findFieldVersion(tx, ctx.workspaceId, appId, query.locale);
    const { normalized } = version ?? { normalized: '' };
    return analyse(tx, ctx, app, { ...query, normalized });
  });
}

/**
 * Analyses a text that is not saved. It may be longer than the store accepts, since the analysis
 * shows what to remove. Throws the other errors of saving.
 */
export function previewField(
  ctx: Ctx,
  appId: number,
  input: Market & { text: string },
): Promise<FieldAnalysis> {
  return inTenant(ctx, async (tx) => {
    const app = await getAppWithField(tx, ctx, appId);
    const { normalized } = readFieldText(input.text, maxSentCharacters);
    return analyse(tx, ctx, app, { ...input, normalized });
  });
}

/**
 * Analyses from stored facts alone: the latest listing, the tracked keywords with their scores,
 * stored results, and competitors' listings.
 */
export async function analyse(
  tx: Tx,
  ctx: Ctx,
  app: AppWithField,
  { normalized, country = app.primaryCountry, ...on }: Market & { normalized: string },
): Promise<FieldAnalysis> {
  const device = readDevice('query.device', on.device, app.store);
  const market = { appId: app.id, country, device };
  const texts = await findListingTexts(tx, ctx.workspaceId, app.id, country);
  const listing = texts && texts.name !== null ? { ...texts, name: texts.name } : null;
  const keywords = await listFieldKeywords(tx, ctx.workspaceId, market);
  const tokens = evaluateWords(normalized, listing, keywords);
  const stored = await listStoredCandidates(tx, ctx, {
    ...market,
    sources: ['listing', 'competitors', 'serp'],
  });
  const candidates: FillCandidate[] = [
    ...keywords.map(({ id, phrase }) => ({ phrase, source: 'tracked' as const, keywordId: id })),
    ...stored.map(({ phrase, evidence }) => ({ phrase, source: evidence.source, keywordId: null })),
  ];
  const used = countCharacters(normalized);
  return {
    country,
    device,
    normalized,
    used,
    free: Math.max(0, app.maxCharacters - used),
    comparedWith: listing && presentListing(listing),
    tokens,
    combinations: combineWords(normalized, listing, keywords),
    wastedCharacters: countWasted(normalized, tokens),
    suggestions: fillFree(
      normalized,
      app.maxCharacters,
      [listing?.name ?? '', listing?.subtitle ?? ''].join('\n'),
      candidates,
    ),
  };
}

function presentListing({
  name,
  subtitle,
  country,
  takenAt,
}: ListingTextsRow & { name: string }): FieldAnalysis['comparedWith'] {
  return { name, subtitle, country, takenAt: takenAt?.toISOString() ?? null };
}
