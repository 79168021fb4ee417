import { z } from 'zod';
import { alertRule, type alerts } from '../../contract/alerts.ts';
import type { Tx } from '../../db/database.ts';
import { findAlertRules } from '../../db/queries/alerts.ts';
import { inTenant, type Ctx } from '../context.ts';
import { defaultRules, type AlertRule } from './rules.ts';

export type AlertRules = z.input<(typeof alerts)['GET /alerts/rules']['responses'][200]>;

/** The rules of a workspace, each with everything it leaves out; none where none were saved. */
export async function readRules(tx: Tx, workspaceId: number): Promise<{ rules: AlertRule[]; savedAt: Date | null }> {
  const row = await findAlertRules(tx, workspaceId);
  return { rules: z.array(alertRule).parse(row?.rules ?? []), savedAt: row?.savedAt ?? null };
}

export async function getRules(ctx: Ctx): Promise<AlertRules> {
  const { rules, savedAt } = await inTenant(ctx, (tx) => readRules(tx, ctx.workspaceId));
  return { rules, defaults: [...defaultRules], savedAt: savedAt?.toISOString() ?? null };
}
