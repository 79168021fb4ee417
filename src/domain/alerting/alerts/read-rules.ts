import type { z } from 'zod';
import type { alerts } from '#contract/alerts.ts';
import type { SettingsUpdate } from '#contract/settings.ts';
import type { Tx } from '#db/database.ts';
import { findAlertRules, listAlertSettings } from '#db/queries/alerts/alerts.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { loadSettings, withDefaults } from '#domain/tracking/settings/get-settings.ts';
import { parseSavedRules } from './parse-saved-rules.ts';
import { resolveRules, defaultRules, type AlertRule, type ResolvedRule } from './rules.ts';

export type AlertRules = z.input<(typeof alerts)['GET /alerts/rules']['responses'][200]>;

/** The effective rules of a workspace: `own` replaces the saved ones in a backtest. */
export async function readRules(
  tx: Tx,
  workspaceId: number,
  own?: readonly AlertRule[],
): Promise<ResolvedRule[]> {
  return resolveRules(
    own ?? (await getSavedRules(tx, workspaceId)).rules,
    await loadSettings(tx, workspaceId),
  );
}

/** The effective rules of some workspaces, by workspace. */
export async function readRulesOf(
  systemTx: Tx,
  workspaceIds: readonly number[],
): Promise<Map<number, ResolvedRule[]>> {
  const rows = await listAlertSettings(systemTx, workspaceIds);
  return new Map(
    rows.map(({ workspaceId, rules, settings }) => [
      workspaceId,
      resolveRules(parseSavedRules(rules), withDefaults((settings ?? {}) as SettingsUpdate)),
    ]),
  );
}

/** The saved rules of a workspace, with a lock against concurrent saves. */
export async function getSavedRules(
  tx: Tx,
  workspaceId: number,
  options: { lock?: boolean } = {},
): Promise<{ rules: AlertRule[]; savedAt: Date | null }> {
  const row = await findAlertRules(tx, workspaceId, options);
  return { rules: parseSavedRules(row?.rules), savedAt: row?.savedAt ?? null };
}

/** The saved rules of a workspace with the defaults for the rest. */
export function getRules(ctx: Ctx): Promise<AlertRules> {
  return inTenant(ctx, async (tx) => {
    const { rules, savedAt } = await getSavedRules(tx, ctx.workspaceId);
    return {
      rules,
      defaults: defaultRules(await loadSettings(tx, ctx.workspaceId)),
      savedAt: savedAt?.toISOString() ?? null,
    };
  });
}
