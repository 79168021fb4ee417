import type { z } from 'zod';
import type { alerts as operations } from '#contract/alerts.ts';
import { alertTypes } from '#contract/choices.ts';
import { listFollowedChanges } from '#db/queries/alerts/alert-facts.ts';
import { addDays, listDays, startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { applyCooldowns, type Alert } from './alert.ts';
import type { DayChecks } from './count-checks.ts';
import { toChangeAlerts } from './evaluate-change-alerts.ts';
import { evaluateKeywordAlerts, readAlertKeywords } from './evaluate-keyword-alerts.ts';
import { readReviewAlerts } from './evaluate-review-alerts.ts';
import { getSavedRules, readRules } from './read-rules.ts';
import type { AlertRule } from './rules.ts';
import { validateRuleScopes } from './save-rules.ts';

type Operation = (typeof operations)['POST /alerts/rules/backtest'];
export type Backtest = z.input<Operation['responses'][200]>;
type Counts = Backtest['counts'];

const shownMax = 500;
const changesMax = 20_000;
const reviewsMax = 20_000;

/**
 * The alerts that rules (the saved ones by default) would have raised, computed by the same
 * functions from stored data that this workspace may see. A late check counts as if it had been in
 * time. Throws like `validateRuleScopes`.
 */
export async function backtestRules(
  ctx: Ctx,
  input: { rules?: AlertRule[] | undefined; days: number },
): Promise<Backtest> {
  const to = utcDayOf(ctx.clock.now());
  const from = addDays(to, 1 - input.days);
  const tally = new Map(listDays(from, to).map((date) => [date, { followed: 0, checked: 0 }]));
  const { own, alerts } = await inTenant(ctx, async (tx) => {
    const { workspaceId } = ctx;
    const { rules: saved } = await getSavedRules(tx, workspaceId);
    if (input.rules) await validateRuleScopes(tx, ctx, { rules: input.rules, saved });
    const own = input.rules ?? saved;
    const rules = await readRules(tx, workspaceId, own);
    const keywords = await readAlertKeywords(tx, workspaceId);
    const span = {
      from: new Date(startOfDayMs(from)),
      until: new Date(startOfDayMs(addDays(to, 1))),
    };
    const changes = await listFollowedChanges(tx, workspaceId, { ...span, limit: changesMax });
    const alerts = [
      ...(await evaluateKeywordAlerts(tx, {
        keywords,
        rules: new Map([[workspaceId, rules]]),
        from,
        to,
        tally,
      })),
      ...toChangeAlerts(changes, rules),
      ...(await readReviewAlerts(tx, workspaceId, { rules, ...span, limit: reviewsMax })),
    ];
    return { own, alerts };
  });
  return { rules: own, ...present(applyCooldowns(alerts), { from, to, tally }) };
}

function present(
  alerts: readonly Alert[],
  { from, to, tally }: { from: UtcDay; to: UtcDay; tally: ReadonlyMap<UtcDay, DayChecks> },
): Omit<Backtest, 'rules'> {
  const ofDay = Map.groupBy(alerts, (alert) => alert.date);
  const shown = alerts.toReversed().slice(0, shownMax);
  return {
    from,
    to,
    total: alerts.length,
    counts: countByType(alerts),
    days: Array.from(tally, ([date, checks]) => ({
      date,
      counts: countByType(ofDay.get(date) ?? []),
      ...checks,
    })),
    alerts: shown.map(({ type, date, appId, data }) => ({ date, type, appId, data })),
    moreAlerts: alerts.length - shown.length,
  };
}

function countByType(alerts: readonly Alert[]): Counts {
  return Object.fromEntries(
    alertTypes.map((type) => [type, alerts.filter((alert) => alert.type === type).length]),
  ) as Counts;
}
