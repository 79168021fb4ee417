import type { z } from 'zod';
import type { keywords } from '../../contract/keywords.ts';
import { listCopiedKeywords } from '../../db/queries/keyword-copies.ts';
import { isStorable } from '../../lib/text.ts';
import { inTenant, type Ctx } from '../context.ts';
import { invalid } from '../errors.ts';
import { addWanted, type AddedKeywords } from './add-keywords.ts';
import { findCountryFault } from './phrase.ts';
import { getGrowingApp } from './plan-addition.ts';
import { maxKeywordsARequest, refuse, unstorable } from './read-wanted.ts';

export type CopyMarketBody = z.output<
  (typeof keywords)['POST /apps/{id}/keywords/copy-market']['body']
>;

/**
 * Follows what is followed in one country in others too, with its depth and tags; what is paused stays behind. Throws
 * invalid_country, too_many_keywords over 200 rows, invalid_request when there is nothing to copy, and what adding throws.
 */
export async function copyMarket(
  ctx: Ctx,
  appId: number,
  body: CopyMarketBody,
): Promise<AddedKeywords> {
  const toCountries = readCountries(body);
  const copied = await inTenant(ctx, async (tx) => {
    const app = await getGrowingApp(tx, ctx, appId);
    return listCopiedKeywords(tx, ctx.workspaceId, {
      appId: app.id,
      country: body.fromCountry,
      tag: body.onlyTag ?? null,
    });
  });
  if (copied.length === 0)
    throw invalid('fromCountry', 'a country with keywords to copy', body.fromCountry);
  const count = copied.length * toCountries.length;
  if (count > maxKeywordsARequest) {
    const issue = {
      path: 'toCountries',
      rule: 'keywords × countries in a request',
      limit: maxKeywordsARequest,
      actual: count,
    };
    refuse([{ code: 'too_many_keywords', issue }]);
  }
  return addWanted(
    ctx,
    appId,
    toCountries.flatMap((country) => copied.map((keyword) => ({ ...keyword, country }))),
  );
}

function readCountries({ fromCountry, toCountries, onlyTag }: CopyMarketBody): string[] {
  const faults = [
    findCountryFault('fromCountry', fromCountry),
    ...toCountries.map((country, index) => findCountryFault(`toCountries.${index}`, country)),
    isStorable(onlyTag ?? '') ? null : unstorable('onlyTag'),
  ].filter((fault) => fault !== null);
  if (faults.length > 0) refuse(faults);
  return [...new Set(toCountries)];
}
