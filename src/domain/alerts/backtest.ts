import type { z } from 'zod';
import type { alerts as operations } from '../../contract/alerts.ts';
import { alertTypes } from '../../contract/choices.ts';
import { listFollowedChanges } from '../../db/queries/alert-facts.ts';
import { addDays, listDays, startOfDayMs, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { dropSilenced, type Alert } from './alert.ts';
import type { DayChecks } from './count-checks.ts';
import { toChangeAlerts } from './judge-changes.ts';
import { judgeKeywords, readAlertKeywords } from './judge-keywords.ts';
import { readReviewAlerts } from './judge-reviews.ts';
import { readRules } from './read-rules.ts';
import type { AlertRule } from './rules.ts';
import { requireOwnScopes } from './save-rules.ts';

type Operation = (typeof operations)['POST /alerts/rules/backtest'];
export type Backtest = z.input<Operation['responses'][200]>;
type Counts = Backtest['counts'];

const shownMax = 500;
const changesMax = 20_000;

/**
 * What rules would have told of, by the very functions that tell, from what is stored and this workspace may see. Days as
 * they are now: a day whose check came late is judged as if it had come in time. Throws not_found for a foreign app.
 */
export async function backtestRules(
  ctx: Ctx,
  input: { rules: AlertRule[]; days: number },
): Promise<Backtest> {
  const to = utcDayOf(ctx.clock.now());
  const from = addDays(to, 1 - input.days);
  const tally = new Map(listDays(from, to).map((date) => [date, { followed: 0, checked: 0 }]));
  const alerts = await inTenant(ctx, async (tx) => {
    await requireOwnScopes(tx, ctx, input.rules);
    const { workspaceId } = ctx;
    const rules = await readRules(tx, workspaceId, input.rules);
    const keywords = await readAlertKeywords(tx, workspaceId, null);
    const span = {
      from: new Date(startOfDayMs(from)),
      until: new Date(startOfDayMs(addDays(to, 1))),
    };
    const changes = await listFollowedChanges(tx, workspaceId, { ...span, limit: changesMax });
    return [
      ...(await judgeKeywords(tx, workspaceId, { keywords, rules, from, to, tally })),
      ...toChangeAlerts(changes, rules),
      ...(await readReviewAlerts(tx, workspaceId, { rules, ...span })),
    ];
  });
  return present(dropSilenced(alerts), { from, to, tally });
}

function present(
  alerts: readonly Alert[],
  { from, to, tally }: { from: UtcDay; to: UtcDay; tally: ReadonlyMap<UtcDay, DayChecks> },
): Backtest {
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
    alerts: shown.map(
      ({ type, date, appId, data }) => ({ date, type, appId, data }) as Backtest['alerts'][number],
    ),
    moreAlerts: alerts.length - shown.length,
  };
}

function countByType(alerts: readonly Alert[]): Counts {
  return Object.fromEntries(
    alertTypes.map((type) => [type, alerts.filter((alert) => alert.type === type).length]),
  ) as Counts;
}
