import type { Tx } from '#db/database.ts';
import { listChartDays, listCharts, type ChartDay } from '#db/queries/charts/charts.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { ChartName } from '#domain/base/ports.ts';
import type { FollowedCharts } from './followed-charts.ts';

export interface ChartKey {
  country: string;
  /** The store's id; null for all apps. */
  category: string | null;
  chart: ChartName;
}

/** A listing's positions in charts, by chart and day. */
export interface ChartDays {
  /** Undefined: neither read nor failed. */
  find(key: ChartKey, day: UtcDay): ChartDay | undefined;
}

/**
 * Loads all stored charts in which an app may be ranked within some days; the caller decides which
 * of them are visible.
 */
export async function loadChartDays(
  tx: Tx,
  app: FollowedCharts,
  range: { from: UtcDay; to: UtcDay; countries: string[]; chart?: ChartName | undefined },
): Promise<ChartDays> {
  const categories = [...new Set(app.facts.flatMap((facts) => facts.categoryId ?? []))];
  const known = (await listCharts(tx, app.store, range.countries, categories)).filter(
    ({ chart }) => range.chart === undefined || chart === range.chart,
  );
  const storeTaskIds = new Map(known.map((row) => [keyOf(row), row.storeTaskId]));
  const { from, to } = range;
  const rows = await listChartDays(tx, {
    storeTaskIds: [...storeTaskIds.values()],
    listingId: app.listingId,
    from,
    to,
  });
  const days = new Map(rows.map((row) => [`${row.storeTaskId} ${row.date}`, row]));
  return {
    find: (key, day) => {
      const storeTaskId = storeTaskIds.get(keyOf(key));
      return storeTaskId === undefined ? undefined : days.get(`${storeTaskId} ${day}`);
    },
  };
}

function keyOf({ country, category, chart }: ChartKey): string {
  return `${country} ${chart} ${category ?? ''}`;
}

export type ReadDay = ChartDay & { depth: number; readAt: Date };

/** True for a day with a chart. */
export function isRead(day: ChartDay | undefined): day is ReadDay {
  return day !== undefined && day.depth !== null;
}

/** The position in a chart that was read; null: not within its depth. */
export function positionIn(day: ReadDay): number | null {
  return day.position || null;
}
