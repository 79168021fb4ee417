import type { Tx } from '#db/database.ts';
import { listAnnotations } from '#db/queries/annotations/annotations.ts';
import type { AppRow } from '#db/queries/apps/apps.ts';
import { listChangeHeads } from '#db/queries/changes/changes.ts';
import { countStars } from '#db/queries/reviews/reviews.ts';
import { findFirstRunDay, listRunDetails } from '#db/queries/runs/run-list.ts';
import { listRankEventDays } from '#db/queries/timeline/timeline.ts';
import {
  addDays,
  listDays,
  maxDay,
  minDay,
  startOfDayMs,
  utcDayOf,
  type UtcDay,
} from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import { windowOf } from '#domain/base/day-window.ts';
import { loadSeriesOfListings } from '#domain/tracking/rankings/provider-series.ts';
import { isReadDay, loadFollowedFeeds } from '#domain/tracking/reviews/followed-feeds.ts';
import { toChangeItems } from './change-items.ts';
import { findSurges, surgeBaselineDays } from './find-surges.ts';
import { toItem, type TimelineItem } from './item.ts';

export interface Range {
  from: UtcDay;
  to: UtcDay;
}

const maxChanges = 50_000;
const maxAnnotations = 2_000;

const toInstants = ({ from, to }: Range) => ({
  from: new Date(startOfDayMs(from)),
  until: new Date(startOfDayMs(addDays(to, 1))),
});

/** Changes and versions, of competitors too on request. */
export async function readChangeItems(
  tx: Tx,
  ctx: Ctx,
  app: AppRow,
  range: Range,
  withCompetitors: boolean,
): Promise<TimelineItem[]> {
  const filter = {
    appId: app.id,
    scope: withCompetitors ? undefined : ('own' as const),
    ...toInstants(range),
  };
  return toChangeItems(await listChangeHeads(tx, ctx.workspaceId, filter, maxChanges));
}

/** The rank events of a day as one item. */
export async function readRankItems(
  tx: Tx,
  ctx: Ctx,
  app: AppRow,
  range: Range,
): Promise<TimelineItem[]> {
  const days = await listRankEventDays(tx, ctx.workspaceId, { appId: app.id, ...range });
  return days.map(({ date, improved, dropped, keywordIds }) => {
    const keywords = (count: number) => (count === 1 ? '1 keyword' : `${count} keywords`);
    const parts = [
      ...(improved > 0 ? [`${keywords(improved)} rose`] : []),
      ...(dropped > 0 ? [`${keywords(dropped)} fell`] : []),
    ];
    const links = {
      movers: `/apps/${app.id}/rankings/movers?from=${addDays(date, -1)}&to=${date}`,
    };
    return toItem({
      kind: 'rank',
      key: date,
      date,
      title: parts.join(', '),
      fact: { kind: 'rank', rose: improved, fell: dropped },
      keywordIds,
      links,
    });
  });
}

/** Days with a surge of reviews. A day that is not over may already be one. */
export async function readReviewItems(
  tx: Tx,
  ctx: Ctx,
  app: AppRow,
  range: Range,
): Promise<TimelineItem[]> {
  const { listingId, feeds } = await loadFollowedFeeds(tx, ctx, app);
  const first = addDays(range.from, -surgeBaselineDays);
  const stars = await countStars(
    tx,
    ctx.workspaceId,
    { listingId, feeds, ...toInstants({ from: first, to: range.to }) },
    'day',
  );
  const counts = new Map(stars.map(({ key, s1, s2, s3, s4, s5 }) => [key, s1 + s2 + s3 + s4 + s5]));
  const surges = findSurges(
    listDays(first, range.to),
    (day) => counts.get(day) ?? 0,
    (day) => isReadDay(feeds, day),
  );
  return surges
    .filter(({ date }) => date >= range.from)
    .map(({ date, count, usual }) =>
      toItem({
        kind: 'reviews',
        key: date,
        date,
        title: `${count} reviews in a day`,
        text: `${usual} a day in the ${surgeBaselineDays} days before.`,
        fact: { kind: 'reviews', count, usual, days: surgeBaselineDays },
        links: { reviews: `/apps/${app.id}/reviews?from=${date}&to=${date}` },
      }),
    );
}

/** This workspace's own annotations. */
export async function readAnnotationItems(
  tx: Tx,
  ctx: Ctx,
  app: AppRow,
  range: Range,
): Promise<TimelineItem[]> {
  const notes = await listAnnotations(
    tx,
    ctx.workspaceId,
    { appId: app.id, ...range },
    { after: null, limit: maxAnnotations },
  );
  return notes.map(({ id, date, text, keywordIds }) =>
    toItem({
      kind: 'annotation',
      key: id,
      date,
      title: text,
      keywordIds,
      links: { annotations: `/apps/${app.id}/annotations?from=${date}&to=${date}` },
    }),
  );
}

const runTitles = {
  missed: 'The daily run was missed',
  overdue: 'The daily run did not finish its day',
  degraded: 'A store responded unreliably during the daily run',
} as const;
type FailedRun = keyof typeof runTitles;

const isFailedRun = (state: string): state is FailedRun => Object.hasOwn(runTitles, state);

/** Days with an incomplete run. A day without a run between two others was missed. */
export async function readRunItems(
  tx: Tx,
  ctx: Ctx,
  app: AppRow,
  range: Range,
): Promise<TimelineItem[]> {
  const first = await findFirstRunDay(tx, ctx.workspaceId);
  if (first === null) return [];
  const yesterday = addDays(utcDayOf(ctx.clock.now()), -1);
  const days = listDays(
    maxDay(maxDay(range.from, first), utcDayOf(app.createdAt)),
    minDay(range.to, yesterday),
  );
  const states = new Map((await listRunDetails(tx, days)).map((run) => [run.date, run.state]));
  return days.flatMap((date) => {
    const fault = states.get(date) ?? 'missed';
    if (!isFailedRun(fault)) return [];
    return [
      toItem({
        kind: 'run',
        key: date,
        date,
        title: runTitles[fault],
        fact: { kind: 'run', fault },
        links: { run: `/runs/${date}` },
      }),
    ];
  });
}

/** Days on which another search provider begins, whose positions are not compared with earlier. */
export async function readProviderItems(
  tx: Tx,
  app: AppRow,
  range: Range,
): Promise<TimelineItem[]> {
  const series = await loadSeriesOfListings(tx, [app]);
  const window = windowOf(addDays(range.from, -1), range.to);
  return series
    .listSegments(app.listingId, window)
    .flatMap(({ from: date, provider: after }, index, segments) => {
      const before = segments[index - 1]?.provider;
      if (before === undefined || date <= utcDayOf(app.createdAt)) return [];
      return [
        toItem({
          kind: 'provider',
          key: date,
          date,
          title: `Positions are those of ${after} from here on`,
          text: `Before they were those of ${before}. The two are not compared.`,
          fact: { kind: 'provider', before, after },
        }),
      ];
    });
}
