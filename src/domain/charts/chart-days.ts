import type { Tx } from '../../db/database.ts';
import { listChartDays, listCharts, type ChartDay } from '../../db/queries/charts.ts';
import type { UtcDay } from '../../lib/dates.ts';
import type { ChartName } from '../ports.ts';
import type { FollowedCharts } from './followed-charts.ts';

export interface ChartSpot {
  country: string;
  /** The store's id; null: all apps. */
  category: string | null;
  chart: ChartName;
}

/** Where a listing stands in charts, by chart and day. */
export interface ChartDays {
  /** Undefined: neither read nor given up. */
  find(spot: ChartSpot, day: UtcDay): ChartDay | undefined;
}

/** Everything kept of the charts an app may stand in within some days; what of it may be seen is for the caller to say. */
export async function readChartDays(
  tx: Tx,
  app: FollowedCharts,
  range: { from: UtcDay; to: UtcDay; countries: string[]; chart?: ChartName | undefined },
): Promise<ChartDays> {
  const categories = [...new Set(app.facts.flatMap((facts) => facts.categoryId ?? []))];
  const known = (await listCharts(tx, app.store, range.countries, categories)).filter(
    ({ chart }) => range.chart === undefined || chart === range.chart,
  );
  const choreIds = new Map(known.map((spot) => [keyOf(spot), spot.choreId]));
  const { from, to } = range;
  const rows = await listChartDays(tx, {
    choreIds: [...choreIds.values()],
    listingId: app.listingId,
    from,
    to,
  });
  const days = new Map(rows.map((row) => [`${row.choreId} ${row.date}`, row]));
  return {
    find: (spot, day) => {
      const choreId = choreIds.get(keyOf(spot));
      return choreId === undefined ? undefined : days.get(`${choreId} ${day}`);
    },
  };
}

function keyOf({ country, category, chart }: ChartSpot): string {
  return `${country} ${chart} ${category ?? ''}`;
}

export type ReadDay = ChartDay & { depth: number; readAt: Date };

/** True for a day with an answer. */
export function isRead(day: ChartDay | undefined): day is ReadDay {
  return day !== undefined && day.depth !== null;
}

/** The place in a chart that was read; null: not within its depth. */
export function positionIn(day: ReadDay): number | null {
  return day.place || null;
}
