import { z } from 'zod';
import { alertRule, type alerts } from '../../contract/alerts.ts';
import type { Tx } from '../../db/database.ts';
import { findAlertRules } from '../../db/queries/alerts.ts';
import { inTenant, type Ctx } from '../context.ts';
import { readSettings } from '../settings/read-settings.ts';
import { completeRules, defaultRules, type AlertRule, type WholeRule } from './rules.ts';

export type AlertRules = z.input<(typeof alerts)['GET /alerts/rules']['responses'][200]>;

/** The rules that hold for a workspace: `own` in place of those it has saved, when they are only tried. */
export async function readRules(
  tx: Tx,
  workspaceId: number,
  own?: readonly AlertRule[],
): Promise<WholeRule[]> {
  return completeRules(
    own ?? (await readOwnRules(tx, workspaceId)).rules,
    await readSettings(tx, workspaceId),
  );
}

/** What a workspace has saved; nobody else saves meanwhile where it is locked. */
export async function readOwnRules(
  tx: Tx,
  workspaceId: number,
  options: { lock?: boolean } = {},
): Promise<{ rules: AlertRule[]; savedAt: Date | null }> {
  const row = await findAlertRules(tx, workspaceId, options);
  return { rules: z.array(alertRule).parse(row?.rules ?? []), savedAt: row?.savedAt ?? null };
}

/** What a workspace has saved, beside what holds where it has saved nothing. */
export function getRules(ctx: Ctx): Promise<AlertRules> {
  return inTenant(ctx, async (tx) => {
    const { rules, savedAt } = await readOwnRules(tx, ctx.workspaceId);
    return {
      rules,
      defaults: defaultRules(await readSettings(tx, ctx.workspaceId)),
      savedAt: savedAt?.toISOString() ?? null,
    };
  });
}
