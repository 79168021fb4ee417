import type { z } from 'zod';
import type { keywords } from '../../contract/keywords.ts';
import { inTenant, type Ctx } from '../context.ts';
import { budgetDelta, expectedRequests, roundRequests } from '../budget/cost.ts';
import { requireRoomInPlan } from '../budget/require-room.ts';
import { capacityOf } from '../budget/read-budget.ts';
import { getSettings } from '../settings/read-settings.ts';
import { costAddition, isNew, marketKey, planAddition } from './plan-addition.ts';
import { readWanted, type AddKeywordsBody } from './read-wanted.ts';

export type KeywordPreview = z.input<
  (typeof keywords)['POST /apps/{id}/keywords/preview']['responses'][200]
>;

/** What adding would do and cost, item by item; writes nothing. Refuses what adding refuses. */
export async function previewKeywords(
  ctx: Ctx,
  appId: number,
  body: AddKeywordsBody,
): Promise<KeywordPreview> {
  const wanted = readWanted(body, (await getSettings(ctx)).defaultDepth);
  const addition = await inTenant(ctx, async (tx) => {
    const plan = await planAddition(tx, ctx, appId, wanted);
    const cost = await costAddition(tx, ctx, plan);
    await requireRoomInPlan(tx, ctx, cost);
    return { ...plan, ...cost };
  });
  const items = new Map(addition.items.map((item) => [marketKey(item.wanted), item]));
  const named = new Set<string>();
  return {
    items: wanted.map((keyword) => {
      const key = marketKey(keyword);
      const isDouble = named.has(key);
      named.add(key);
      const adds = !isDouble && isNew(items.get(key)!);
      return {
        phrase: keyword.phrase,
        country: keyword.country,
        depth: keyword.depth,
        state: isDouble ? 'duplicate' : adds ? 'new' : 'existing',
        requestsPerDay: adds
          ? roundRequests(expectedRequests(addition.app.store, keyword.depth, addition.before))
          : 0,
      };
    }),
    budgetDelta: budgetDelta(addition.before, addition.after, capacityOf(ctx.settings)),
  };
}
