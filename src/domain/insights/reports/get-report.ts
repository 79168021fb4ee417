import type { z } from 'zod';
import type { reportContent } from '#contract/reports.ts';
import { findApp } from '#db/queries/apps/apps.ts';
import { findImage } from '#db/queries/images/images.ts';
import { findNewestFinishedDay, listOverviewKeywords } from '#db/queries/overview/overview.ts';
import type { Tx } from '#db/database.ts';
import { inTenant, type Reader, type Services } from '#domain/base/context.ts';
import { windowOf } from '#domain/base/day-window.ts';
import { notFound } from '#domain/base/errors.ts';
import { imageIdentityOf, type StoreName } from '#domain/base/ports.ts';
import { presentApp } from '#domain/tracking/apps/present-app.ts';
import { compareDays, type Comparison } from '#domain/tracking/rankings/compare-days.ts';
import { loadSeriesOfListings } from '#domain/tracking/rankings/provider-series.ts';
import { addDays, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { getVisibility } from '../visibility/get-visibility.ts';

export type ReportContent = z.input<typeof reportContent>;
type ReportComparison = NonNullable<ReportContent['comparison']>;
type ComparedRow = Comparison['items'][number];

export interface ReportScope {
  workspaceId: number;
  appId: number;
  name: string;
  country: string | null;
  device: string | null;
  days: number;
  expiresAt: Date | null;
}

const keywordsMax = 1_000;
const iconBytesMax = 100_000;

/**
 * The content of a report, for somebody who may know nothing else of the workspace. Throws
 * not_found while the app is archived, and once it is deleted.
 */
export async function getReport(services: Services, report: ReportScope): Promise<ReportContent> {
  const reader = { ...services, workspaceId: report.workspaceId };
  const { name, country, device, days } = report;
  const { app, candidates, listSegments } = await inTenant(reader, async (tx) => {
    const row = await findApp(tx, report.workspaceId, report.appId);
    if (!row || row.archivedAt) throw notFound();
    const { store, iconUrl, displayName, ...facts } = presentApp(row, services.stores);
    const series = await loadSeriesOfListings(tx, [row]);
    return {
      app: {
        name: displayName ?? facts.name,
        developer: facts.developer,
        store,
        icon: iconUrl === null ? null : await findIcon(tx, store, iconUrl),
      },
      candidates: await listNewestDays(tx, report, utcDayOf(services.clock.now())),
      listSegments: ({ from, to }: ReportComparison) =>
        series.listSegments(row.listingId, windowOf(from, to)),
    };
  });
  const content = await compareNewest(reader, report, candidates);
  const expiresAt = report.expiresAt?.toISOString() ?? null;
  const segments = content.comparison === null ? [] : listSegments(content.comparison);
  return { name, app, country, device, days, expiresAt, ...content, segments };
}

/** As a data URL: whoever reads a report cannot request pictures. */
async function findIcon(tx: Tx, store: StoreName, url: string): Promise<string | null> {
  const identity = imageIdentityOf(store, url);
  if (identity === null) return null;
  const { type, bytes } = (await findImage(tx, { store, kind: 'icon', identity })) ?? {};
  if (!type || !bytes || bytes.length > iconBytesMax) return null;
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/**
 * The newest day whose run is finished, and the newest day with a check: of an app that was added
 * after that run, only the other has positions.
 */
async function listNewestDays(tx: Tx, report: ReportScope, today: UtcDay): Promise<UtcDay[]> {
  const keywords = await listOverviewKeywords(tx, report.workspaceId, report);
  const checked = keywords.flatMap(({ latestOn }) => latestOn ?? []).toSorted();
  const newest = checked.at(-1);
  if (newest === undefined) return [];
  const finished = await findNewestFinishedDay(tx, today);
  return finished === null || finished >= newest ? [newest] : [finished, newest];
}

/**
 * The first of the days on which something was checked, beside the day that many days before, or
 * the first one with a check since.
 */
async function compareNewest(
  reader: Reader,
  { appId, days, country, device }: ReportScope,
  candidates: readonly UtcDay[],
): Promise<Pick<ReportContent, 'visibility' | 'comparison'>> {
  const market = { country: country ?? undefined, device: device ?? undefined };
  for (const to of candidates) {
    const span = { from: addDays(to, -days), to };
    const counted = { ...span, ...market, keywords: 'same' } as const;
    const { items: visibility } = await getVisibility(reader, appId, counted);
    const first = visibility.find(({ checked }) => checked > 0)?.date ?? to;
    const from = first < to ? first : span.from;
    const { items, totals } = await compareDays(reader, appId, { a: from, b: to, ...market });
    if (items.every(({ b }) => b === null)) continue;
    return {
      visibility: visibility.filter(({ date }) => date >= from),
      comparison: {
        from,
        to,
        before: countRanks(items.map(({ a }) => a)),
        now: countRanks(items.map(({ b }) => b)),
        totals,
        keywords: items.toSorted(byPosition).slice(0, keywordsMax).map(present),
        total: items.length,
      },
    };
  }
  return { visibility: [], comparison: null };
}

function countRanks(ranks: readonly ComparedRow['a'][]): ReportComparison['now'] {
  const checked = ranks.filter((rank) => rank !== null);
  const positions = checked.flatMap(({ position }) => position ?? []);
  const within = (top: number) => positions.filter((position) => position <= top).length;
  return {
    top3: within(3),
    top10: within(10),
    top50: within(50),
    ranked: positions.length,
    notFound: checked.length - positions.length,
    notChecked: ranks.length - checked.length,
  };
}

const orderOf = ({ b }: ComparedRow): number => (b === null ? 1_001 : (b.position ?? 1_000));

const byPosition = (one: ComparedRow, other: ComparedRow): number =>
  orderOf(one) - orderOf(other) ||
  one.phrase.localeCompare(other.phrase, 'en') ||
  one.keywordId - other.keywordId;

const present = ({ phrase, country, device, a, b, delta, isComparable }: ComparedRow) => ({
  phrase,
  country,
  device,
  from: a,
  to: b,
  change: delta,
  isComparable,
});
