import type { z } from 'zod';
import type { keywords } from '#contract/keywords.ts';
import { listCopiedKeywords } from '#db/queries/keywords/keyword-copies.ts';
import { isStorable } from '#lib/text.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { addRequestedKeywords, type AddedKeywords } from './add-keywords.ts';
import { findCountryError } from '#domain/base/text/phrase.ts';
import { getAppForAddition } from './plan-addition.ts';
import { maxKeywordsPerRequest, refuse, unstorable } from './parse-keywords.ts';

export type CopyMarketBody = z.output<
  (typeof keywords)['POST /apps/{id}/keywords/copy-market']['body']
>;

/**
 * Tracks the keywords of one country in other countries too, with device, depth and tags; paused
 * keywords are skipped. Throws invalid_country, too_many_keywords above 200 rows, invalid_request
 * when there is nothing to copy, and the errors of adding.
 */
export async function copyMarket(
  ctx: Ctx,
  appId: number,
  body: CopyMarketBody,
): Promise<AddedKeywords> {
  const toCountries = readCountries(body);
  const copied = await inTenant(ctx, async (tx) => {
    const app = await getAppForAddition(tx, ctx, appId);
    return listCopiedKeywords(tx, ctx.workspaceId, {
      appId: app.id,
      country: body.fromCountry,
      tag: body.onlyTag ?? null,
    });
  });
  if (copied.length === 0)
    throw invalid('fromCountry', 'a country with keywords to copy', body.fromCountry);
  const count = copied.length * toCountries.length;
  if (count > maxKeywordsPerRequest) {
    const issue = {
      path: 'toCountries',
      message: 'keywords × countries in a request',
      limit: maxKeywordsPerRequest,
      actual: count,
    };
    refuse([{ code: 'too_many_keywords', issue }]);
  }
  return addRequestedKeywords(
    ctx,
    appId,
    toCountries.flatMap((country) => copied.map((keyword) => ({ ...keyword, country }))),
  );
}

function readCountries({ fromCountry, toCountries, onlyTag }: CopyMarketBody): string[] {
  const faults = [
    findCountryError('fromCountry', fromCountry),
    ...toCountries.map((country, index) => findCountryError(`toCountries.${index}`, country)),
    isStorable(onlyTag ?? '') ? null : unstorable('onlyTag'),
  ].filter((fault) => fault !== null);
  if (faults.length > 0) refuse(faults);
  return [...new Set(toCountries)];
}
