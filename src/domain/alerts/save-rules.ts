import type { Tx } from '../../db/database.ts';
import { listOwnAppIds, upsertAlertRules } from '../../db/queries/alerts.ts';
import { requireStorable } from '../apps/read-own-words.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { getRules, type AlertRules } from './read-rules.ts';
import type { AlertRule } from './rules.ts';

/** Replaces all rules at once. Throws not_found when one names an app that is not here; then nothing was written. */
export async function saveRules(ctx: Ctx, rules: AlertRule[]): Promise<AlertRules> {
  await inTenant(ctx, async (tx) => {
    await requireOwnScopes(tx, ctx, rules);
    await upsertAlertRules(tx, ctx.workspaceId, {
      rules: JSON.stringify(rules),
      savedAt: ctx.clock.now(),
    });
    await writeAudit(tx, ctx, {
      action: 'alerts.changed',
      subject: null,
      detail: { rules: rules.length },
    });
  });
  return getRules(ctx);
}

/** Throws not_found for an app of nobody or of somebody else, invalid_request for a tag that cannot be. */
export async function requireOwnScopes(
  tx: Tx,
  ctx: Ctx,
  rules: readonly AlertRule[],
): Promise<void> {
  const scopes = rules.flatMap((rule) => ('scope' in rule ? [rule.scope] : []));
  for (const { tags } of scopes) for (const tag of tags ?? []) requireStorable('tags', tag);
  const appIds = [...new Set(scopes.flatMap((scope) => scope.appIds ?? []))];
  if (
    appIds.length > 0 &&
    (await listOwnAppIds(tx, ctx.workspaceId, appIds)).length < appIds.length
  )
    throw notFound();
}
