import pLimit from 'p-limit';
import {
  deletePendingEvaluations,
  listMarketAlertKeywords,
  listPendingEvaluations,
  type PendingEvaluations,
} from '#db/queries/alerts/alerts.ts';
import type { Tx } from '#db/database.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { emitEvents } from '../events/emit-events.ts';
import type { Alert } from './alert.ts';
import { evaluateKeywordAlerts, toAlertKeywords } from './evaluate-keyword-alerts.ts';
import { readRulesOf } from './read-rules.ts';
import { toEvents } from './to-events.ts';

const batchSize = 500;
/** With the batch that is under way at its end, half a second. */
const stepMs = 350;
/** While checks run at full speed, each statement of a transaction waits for the event loop. */
const workspacesAtOnce = 8;

/**
 * Evaluates checks for every workspace that tracks the markets, by its own rules, until none is
 * pending or half a second is over. The pending evaluations of a batch are deleted after its
 * events: an interrupted one is repeated, and an event that is there is not written again. Returns
 * the number of market-days.
 */
export async function evaluateRankAlerts(services: Services): Promise<number> {
  const endMs = performance.now() + stepMs;
  const { systemDb, clock } = services;
  let count = 0;
  do {
    const now = clock.now();
    const at = { now, today: utcDayOf(now) };
    const pending = await listPendingEvaluations(systemDb, { ...at, limit: batchSize });
    if (!pending) break;
    await evaluate(services, pending);
    await deletePendingEvaluations(systemDb, pending);
    count += pending.marketIds.length;
  } while (performance.now() < endMs);
  return count;
}

/** No transaction holds the lock of the events of more than one workspace. */
async function evaluate(services: Services, pending: PendingEvaluations): Promise<void> {
  const alerts = await inSystem(services, (tx) => readAlerts(tx, pending));
  const limit = pLimit(workspacesAtOnce);
  await Promise.all(
    [...alerts].map(([workspaceId, own]) => limit(() => emitAlerts(services, workspaceId, own))),
  );
}

/** The alerts of some market-days, by workspace. */
async function readAlerts(
  tx: Tx,
  { date, marketIds }: PendingEvaluations,
): Promise<Map<number, Alert[]>> {
  const keywords = toAlertKeywords(await listMarketAlertKeywords(tx, marketIds));
  const workspaceOf = new Map(keywords.map(({ appId, workspaceId }) => [appId, workspaceId]));
  const rules = await readRulesOf(tx, [...new Set(workspaceOf.values())]);
  const alerts = await evaluateKeywordAlerts(tx, { keywords, rules, from: date, to: date });
  return Map.groupBy(alerts, ({ appId }) => workspaceOf.get(appId)!);
}

const emitAlerts = (
  services: Services,
  workspaceId: number,
  alerts: readonly Alert[],
): Promise<unknown> =>
  inSystem(services, async (tx) =>
    emitEvents(tx, services, await toEvents(tx, services, workspaceId, alerts)),
  );
