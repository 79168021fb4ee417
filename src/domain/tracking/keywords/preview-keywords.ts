import type { z } from 'zod';
import type { keywords } from '#contract/keywords.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { budgetDelta, expectedRequests, roundRequests } from '#domain/base/budget/cost.ts';
import { assertWithinQuota } from '#domain/base/budget/assert-within-quota.ts';
import { readCapacity } from '#domain/base/budget/get-budget.ts';
import {
  costAddition,
  isNew,
  marketKey,
  planAddition,
  readKeywordDefaults,
} from './plan-addition.ts';
import { parseKeywords, type AddKeywordsBody } from './parse-keywords.ts';

export type KeywordPreview = z.input<
  (typeof keywords)['POST /apps/{id}/keywords/preview']['responses'][200]
>;

/** The effect and cost of adding, item by item; writes nothing. Throws the errors of adding. */
export async function previewKeywords(
  ctx: Ctx,
  appId: number,
  body: AddKeywordsBody,
): Promise<KeywordPreview> {
  const requested = parseKeywords(body, await readKeywordDefaults(ctx, appId));
  const addition = await inTenant(ctx, async (tx) => {
    const plan = await planAddition(tx, ctx, appId, requested);
    const cost = await costAddition(tx, ctx, plan);
    await assertWithinQuota(tx, ctx, cost);
    return { ...plan, ...cost, capacity: await readCapacity(tx, ctx.settings) };
  });
  const items = new Map(addition.items.map((item) => [marketKey(item.requested), item]));
  const named = new Set<string>();
  return {
    items: requested.map((keyword) => {
      const key = marketKey(keyword);
      const isDouble = named.has(key);
      named.add(key);
      const adds = !isDouble && isNew(items.get(key)!);
      return {
        phrase: keyword.phrase,
        country: keyword.country,
        device: keyword.device,
        depth: keyword.depth,
        state: isDouble ? 'duplicate' : adds ? 'new' : 'existing',
        requestsPerDay: adds
          ? roundRequests(expectedRequests(addition.app.store, keyword.depth, addition.before))
          : 0,
      };
    }),
    budgetDelta: budgetDelta(addition.before, addition.after, addition.capacity),
  };
}
