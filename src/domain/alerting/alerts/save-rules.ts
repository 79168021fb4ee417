import type { Tx } from '#db/database.ts';
import { listOwnAppIds, upsertAlertRules } from '#db/queries/alerts/alerts.ts';
import { lockSettings } from '#db/queries/settings/settings.ts';
import { assertUnchanged } from '#domain/base/assert-unchanged.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { getRules, getSavedRules, type AlertRules } from './read-rules.ts';
import type { AlertRule } from './rules.ts';

/**
 * Replaces all rules at once. Throws precondition_failed, and like `validateRuleScopes`; nothing is
 * written then.
 */
export async function saveRules(ctx: Ctx, rules: AlertRule[]): Promise<AlertRules> {
  await inTenant(ctx, async (tx) => {
    // The row of the settings always exists; that of the rules only after the first save.
    await lockSettings(tx, ctx.workspaceId);
    const saved = await getSavedRules(tx, ctx.workspaceId, { lock: true });
    assertUnchanged(ctx, saved);
    await validateRuleScopes(tx, ctx, { rules, saved: saved.rules });
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

/**
 * Throws not_found for an unknown app, unless the saved rules name it: rules keep apps that were
 * deleted. Throws invalid_request for an invalid tag.
 */
export async function validateRuleScopes(
  tx: Tx,
  ctx: Ctx,
  { rules, saved }: { rules: readonly AlertRule[]; saved: readonly AlertRule[] },
): Promise<void> {
  const scopes = listScopes(rules);
  for (const { tags } of scopes) for (const tag of tags ?? []) assertStorable('tags', tag);
  const known = listAppIds(listScopes(saved));
  const added = [...listAppIds(scopes)].filter((id) => !known.has(id));
  if (added.length > 0 && (await listOwnAppIds(tx, ctx.workspaceId, added)).length < added.length)
    throw notFound();
}

const listScopes = (rules: readonly AlertRule[]) =>
  rules.flatMap((rule) => ('scope' in rule ? [rule.scope] : []));

const listAppIds = (scopes: ReturnType<typeof listScopes>): Set<number> =>
  new Set(scopes.flatMap((scope) => scope.appIds ?? []));
