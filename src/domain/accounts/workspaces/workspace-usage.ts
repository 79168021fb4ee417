import type { z } from 'zod';
import type { workspace } from '#contract/workspace.ts';
import {
  addOnDemandCounts,
  addRequestCounts,
  listOnDemandHours,
  listTokenNames,
  sumRequestsByDay,
  sumRequestsByToken,
  type OnDemandCount,
  type RequestCount,
  type UsageRange,
} from '#db/queries/workspaces/usage.ts';
import { findWorkspace } from '#db/queries/workspaces/workspaces.ts';
import { addDays, listDays, startOfDayMs, utcDayOf } from '#lib/dates.ts';
import { inSystem, inTenant, type Ctx, type Services } from '#domain/base/context.ts';
import { maxListDays, parseDayRange, type DayRange } from '#domain/base/day-window.ts';
import { onDemandWindows, planOf, type OnDemandKind } from '#domain/base/plans/plans.ts';

/** Requests that were counted in memory. */
export interface UsageCounts {
  requests: readonly RequestCount[];
  onDemand: readonly OnDemandCount[];
}
export type Usage = z.input<(typeof workspace)['GET /workspace/usage']['responses'][200]>;
type Tally = Pick<Usage['days'][number], 'read' | 'write' | 'store' | 'total'>;

const tokensMax = 500;
const hourMs = 3_600_000;

/** Adds counts to the stored ones, all or none. */
export function recordUsage(
  services: Pick<Services, 'systemDb'>,
  { requests, onDemand }: UsageCounts,
): Promise<void> {
  return inSystem(services, async (tx) => {
    if (requests.length > 0) await addRequestCounts(tx, requests);
    if (onDemand.length > 0) await addOnDemandCounts(tx, onDemand);
  });
}

/** Stored counts of the open windows by name: the day, and each kind of on-demand work. */
export function getOpenWindowUsage(
  services: Pick<Services, 'systemDb' | 'clock'>,
  workspaceId: number,
): Promise<Map<string, number>> {
  const now = services.clock.now();
  const today = utcDayOf(now);
  return inSystem(services, async (tx) => {
    const days = await sumRequestsByDay(tx, workspaceId, { from: today, to: today, tokenId: null });
    const hours = await listOnDemandHours(tx, workspaceId, new Date(startOfDayMs(today)));
    const kinds = Object.keys(onDemandWindows) as OnDemandKind[];
    return new Map([
      ['day', days.reduce((sum, row) => sum + Number(row.requests), 0)],
      ...kinds.map((kind) => [kind, windowOf(kind, hours, now).used] as const),
    ]);
  });
}

/**
 * Stored counts plus the `pending` ones of this process. Throws invalid_request for a range of more
 * than 400 days.
 */
export async function getUsage(
  ctx: Ctx,
  query: DayRange & { tokenId?: number | undefined },
  pending: UsageCounts,
): Promise<Usage> {
  const now = ctx.clock.now();
  const range: UsageRange = {
    ...parseDayRange(query, now, maxListDays),
    tokenId: query.tokenId ?? null,
  };
  const isAsked = ({ date, tokenId }: RequestCount) =>
    date >= range.from && date <= range.to && (range.tokenId === null || tokenId === range.tokenId);
  const requests = pending.requests.filter(
    (count) => count.workspaceId === ctx.workspaceId && isAsked(count),
  );
  const onDemand = pending.onDemand.filter((count) => count.workspaceId === ctx.workspaceId);
  return inTenant(ctx, async (tx) => {
    const days = tally(
      [...(await sumRequestsByDay(tx, ctx.workspaceId, range)), ...requests],
      (row) => row.date,
    );
    const tokens = tally(
      [...(await sumRequestsByToken(tx, ctx.workspaceId, range)), ...requests],
      (row) => row.tokenId,
    );
    const names = await listTokenNames(
      tx,
      ctx.workspaceId,
      ctx.actor.role === 'owner' ? null : ctx.actor.userId,
    );
    const hours = await listOnDemandHours(
      tx,
      ctx.workspaceId,
      new Date(startOfDayMs(utcDayOf(now))),
    );
    const limits = ctx.settings.billingEnabled
      ? planOf((await findWorkspace(tx, ctx.workspaceId))?.plan ?? null).onDemand
      : null;
    return {
      from: range.from,
      to: range.to,
      days: listDays(range.from, range.to).map((date) => ({ date, ...(days.get(date) ?? none()) })),
      tokens: [...tokens]
        .map(([id, counts]) => ({
          tokenId: id === 0 ? null : id,
          name: names.get(id) ?? null,
          ...counts,
        }))
        .toSorted((a, b) => b.total - a.total || (a.tokenId ?? 0) - (b.tokenId ?? 0))
        .slice(0, tokensMax),
      onDemand: (Object.keys(onDemandWindows) as OnDemandKind[]).map((kind) => ({
        kind,
        ...windowOf(kind, [...hours, ...onDemand], now),
        limit: limits?.[kind] ?? null,
      })),
    };
  });
}

const none = (): Tally => ({ read: 0, write: 0, store: 0, total: 0 });

function tally<Row extends { rateClass: string; requests: bigint | number }, K>(
  rows: readonly Row[],
  keyOf: (row: Row) => K,
): Map<K, Tally> {
  const sums = new Map<K, Tally>();
  for (const row of rows) {
    const sum = sums.get(keyOf(row)) ?? none();
    sums.set(keyOf(row), sum);
    sum[row.rateClass as keyof Tally] += Number(row.requests);
    sum.total += Number(row.requests);
  }
  return sums;
}

function windowOf(
  kind: OnDemandKind,
  hours: readonly Omit<OnDemandCount, 'workspaceId'>[],
  now: Date,
): Pick<Usage['onDemand'][number], 'window' | 'used' | 'resetAt'> {
  const window = onDemandWindows[kind];
  const startMs =
    window === 'hour' ? Math.floor(now.getTime() / hourMs) * hourMs : startOfDayMs(utcDayOf(now));
  const endMs = window === 'hour' ? startMs + hourMs : startOfDayMs(addDays(utcDayOf(now), 1));
  const uses = hours.filter(
    (row) => row.kind === kind && row.hour.getTime() >= startMs && row.hour.getTime() < endMs,
  );
  return {
    window,
    used: uses.reduce((sum, row) => sum + row.uses, 0),
    resetAt: new Date(endMs).toISOString(),
  };
}
