import { describe, expect, it } from 'vitest';
import { chartOf, type SimChart } from '#simulator/world/charts.ts';
import { hintsOf } from '#simulator/world/hints.ts';
import { reviewsOf } from '#simulator/world/reviews.ts';
import { createCore } from '#simulator/core.ts';
import { addDays } from '#lib/dates.ts';
import { measureMovement } from './measure-movement.ts';

const world = createCore({ seed: 3 }).world;
const now = new Date('2026-07-01T09:00:00Z');
const at = (days: number) => new Date(now.getTime() + days * 86_400_000);
const demo = world.findApp('ios', '1500000001', 'us', '2026-07-01')!;

describe('reviews of the world', () => {
  it('are the same at any time, newest first, each id once', () => {
    const reviews = reviewsOf(world, demo, 'us', now);
    expect(reviewsOf(createCore({ seed: 3 }).world, demo, 'us', now)).toEqual(reviews);
    const times = reviews.map((review) => review.at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(times[0]).toBeLessThanOrEqual(now.getTime());
    expect(new Set(reviews.map((review) => review.storeReviewId)).size).toBe(reviews.length);
    expect(reviews.length).toBeGreaterThan(500);
  });

  it('stay when others are added, and keep their id with a later date when edited', () => {
    const before = new Map(
      reviewsOf(world, demo, 'us', now).map((review) => [review.storeReviewId, review]),
    );
    const later = reviewsOf(world, demo, 'us', at(20));
    const known = later.filter((review) => before.has(review.storeReviewId));
    const edited = known.filter(
      (review) => review.edited && !before.get(review.storeReviewId)!.edited,
    );
    expect(edited.length).toBeGreaterThan(0);
    for (const review of edited) expect(review.at.getTime()).toBeGreaterThan(now.getTime());
    const untouched = known.filter((review) => !edited.includes(review));
    for (const review of untouched)
      expect({ ...review, reply: null }).toEqual({
        ...before.get(review.storeReviewId),
        reply: null,
      });
    const born = later.filter((review) => !before.has(review.storeReviewId));
    expect(born.length).toBeGreaterThan(10);
    expect(Math.min(...born.map((review) => review.at.getTime()))).toBeGreaterThan(now.getTime());
  });

  it('are distributed like the listing’s ratings, never more, none if unknown', () => {
    const apps = world.catalogues.ios.apps
      .slice(0, 600)
      .filter((app) => app.releasedOn < 20_000 && app.removedOn === null);
    const counted = apps.map((app) => {
      const listing = world.listing(app, { country: 'us', language: 'en', day: '2026-07-01' });
      const reviews = reviewsOf(world, app, 'us', now);
      expect(reviews.length).toBeLessThanOrEqual(listing.ratingCount ?? 0);
      return { reviews, fives: listing.histogram[0]! / Math.max(1, listing.ratingCount ?? 0) };
    });
    expect(counted.filter(({ reviews }) => reviews.length < 4).length).toBeGreaterThan(
      apps.length / 4,
    );
    const written = counted.filter(({ reviews }) => reviews.length > 300);
    const off = written.map(
      ({ reviews, fives }) =>
        reviews.filter((review) => review.rating === 5).length / reviews.length - fives,
    );
    expect(
      Math.abs(off.reduce((sum, difference) => sum + difference, 0) / off.length),
    ).toBeLessThan(0.1);
  });

  it('have surges of low stars after some releases, and some developer replies', () => {
    const byDay = new Map<string, number[]>();
    for (const app of world.catalogues.ios.apps.slice(0, 120)) {
      for (const { at: written, rating, edited } of reviewsOf(world, app, 'us', now)) {
        const key = `${app.index}|${written.toISOString().slice(0, 10)}`;
        if (!edited) byDay.set(key, [...(byDay.get(key) ?? []), rating]);
      }
    }
    const isLow = (ratings: number[]) =>
      ratings.length >= 8 && ratings.filter((rating) => rating <= 2).length > ratings.length * 0.6;
    expect([...byDay.values()].filter(isLow).length).toBeGreaterThan(3);
    const replied = reviewsOf(world, demo, 'us', now).filter((review) => review.reply !== null);
    expect(replied.length).toBeGreaterThan(10);
    for (const { reply, at: written } of replied) {
      expect(reply!.at.getTime()).toBeGreaterThan(written.getTime());
      expect(reply!.at.getTime()).toBeLessThanOrEqual(now.getTime());
    }
  });

  it('are in the country’s language', () => {
    const bodies = reviewsOf(world, demo, 'de', now).map((review) => review.body);
    expect(
      bodies.filter((body) => /\b(ich|das|die|aber|Update)\b/i.test(body)).length,
    ).toBeGreaterThan(bodies.length * 0.9);
  });
});

const chart = (day: string, kind: SimChart = 'free', category: string | null = null) =>
  chartOf(world, { store: 'ios', country: 'us', chart: kind, category, day }).map(
    (app) => app.storeAppId,
  );

describe('charts of the world', () => {
  it('move as much as a real chart in 310 recorded days', () => {
    const days = Array.from({ length: 150 }, (_, index) =>
      chart(addDays('2026-03-01', index)).slice(0, 100),
    );
    const moved = measureMovement(days);
    expect(moved.change.p50).toBeGreaterThan(3);
    expect(moved.change.p50).toBeLessThan(5);
    expect(moved.entrants.p50).toBeGreaterThanOrEqual(2);
    expect(moved.entrants.p50).toBeLessThanOrEqual(6);
    expect(moved.topChange.p50).toBeGreaterThan(0.5);
    expect(moved.topChange.p50).toBeLessThan(1.6);
  });

  it('have at most 200 apps, of the sort and category, and the demo app in its own', () => {
    expect(chart('2026-07-01')).toHaveLength(200);
    const byId = world.catalogues.ios.byId;
    for (const id of chart('2026-07-01', 'paid'))
      expect(byId.get(id)!.priceCents).toBeGreaterThan(0);
    for (const id of chart('2026-07-01', 'free', '6013'))
      expect(byId.get(id)).toMatchObject({ priceCents: 0, subject: 1 });
    expect(chart('2026-07-01', 'free', '6013')).toContain('1500000001');
    expect(chart('2026-07-01', 'free', '36')).toEqual(chart('2026-07-01'));
    expect(chart('2026-07-01', 'free', '9999')).toEqual([]);
    expect(chart('2026-07-01', 'free')).not.toEqual(chart('2026-07-01', 'grossing'));
  });
});

describe('hints of the world', () => {
  const hints = (prefix: string, store: 'ios' | 'android' = 'ios', country = 'us') =>
    hintsOf(world, { store, country, prefix, day: '2026-07-01' });

  it('are phrases with that start or word, 10 on iOS and 5 on Android', () => {
    expect(hints('hab')).toHaveLength(10);
    expect(hints('hab', 'android')).toHaveLength(5);
    expect(hints('Habit  tr').slice(0, 1)).toEqual(['habit tracker']);
    for (const term of hints('pl')) expect(` ${term}`).toContain(' pl');
    expect(hints('qqqq')).toEqual([]);
    expect(hints('  ')).toEqual([]);
    expect(hints('gesund', 'ios', 'de')).toContain('gesundheit');
  });
});

describe('overrides', () => {
  it('apply: a release from its day, and a review from its second', () => {
    const own = createCore({ seed: 3 }).world;
    const listing = (day: string) => own.listing(demo, { country: 'us', language: 'en', day });
    const before = listing('2026-07-05');
    own.overrides.add({
      releases: [
        {
          store: 'ios',
          storeAppId: demo.storeAppId,
          day: '2026-07-05',
          fields: { title: 'New Name', version: '99.0', priceMicros: 2_990_000 },
        },
      ],
      reviews: [
        {
          store: 'ios',
          storeAppId: demo.storeAppId,
          country: 'us',
          at: '2026-07-05T10:00:00Z',
          rating: 1,
          title: 'Bad',
          body: 'Worse.',
        },
      ],
    });
    expect(listing('2026-07-04').title).toBe(
      own.listing(demo, { country: 'us', language: 'en', day: '2026-07-04' }).title,
    );
    expect(listing('2026-07-05')).toMatchObject({
      title: 'New Name',
      version: '99.0',
      priceCents: 299,
      subtitle: before.subtitle,
    });
    const titles = (instant: string) =>
      reviewsOf(own, demo, 'us', new Date(instant)).map((review) => review.title);
    expect(titles('2026-07-05T09:59:59Z')).not.toContain('Bad');
    expect(titles('2026-07-05T10:00:00Z')[0]).toBe('Bad');
    expect(reviewsOf(own, demo, 'us', new Date('2026-07-20T00:00:00Z'))[0]!.version).toBe('99.0');
  });

  it('apply: an entrant is absent before its day and in its position from then on', () => {
    const own = createCore({ seed: 3 }).world;
    const market = { store: 'ios', phrase: 'Habit Tracker', country: 'us' } as const;
    const regular = own.order({ ...market, day: '2026-07-04' });
    const storeAppId = regular[20]!.storeAppId;
    own.overrides.add({ entrants: [{ ...market, day: '2026-07-05', storeAppId, position: 4 }] });
    expect(own.groundTruth({ ...market, day: '2026-07-04', storeAppId }).position).toBeNull();
    for (const day of ['2026-07-05', '2026-07-09'])
      expect(own.groundTruth({ ...market, day, storeAppId }).position).toBe(4);
    own.overrides.clear();
    expect(own.order({ ...market, day: '2026-07-04' })).toEqual(regular);
  });

  it('apply: an app has its position or none from that day, with the others around', () => {
    const own = createCore({ seed: 3 }).world;
    const market = { store: 'ios', phrase: 'Habit Tracker', country: 'us' } as const;
    const storeAppId = own.order({ ...market, day: '2026-07-04' })[20]!.storeAppId;
    const position = (day: string) => own.groundTruth({ ...market, day, storeAppId }).position;
    const others = () =>
      own.order({ ...market, day: '2026-07-08' }).filter((app) => app.storeAppId !== storeAppId);
    const around = others();
    own.overrides.add({
      positions: [
        { ...market, day: '2026-07-07', storeAppId, position: 3 },
        { ...market, day: '2026-07-05', storeAppId, position: null },
      ],
    });
    expect(
      ['2026-07-04', '2026-07-05', '2026-07-06', '2026-07-07', '2026-07-09'].map(position),
    ).toEqual([21, null, null, 3, 3]);
    expect(others()).toEqual(around);
  });

  it('apply: ratings have another mean and the same number', () => {
    const own = createCore({ seed: 3 }).world;
    const listing = (day: string) => own.listing(demo, { country: 'us', language: 'en', day });
    own.overrides.add({
      releases: [
        { store: 'ios', storeAppId: demo.storeAppId, day: '2026-07-05', fields: { rating: 2.5 } },
      ],
    });
    const { rating, ratingCount, histogram } = listing('2026-07-05');
    expect(rating).toBeCloseTo(2.5, 3);
    expect([ratingCount, histogram.reduce((sum, count) => sum + count, 0)]).toEqual([
      createCore({ seed: 3 }).world.listing(demo, {
        country: 'us',
        language: 'en',
        day: '2026-07-05',
      }).ratingCount,
      ratingCount,
    ]);
    expect(listing('2026-07-04').rating).not.toBeCloseTo(2.5, 1);
  });
});

describe('a country without movement', () => {
  const since = '2026-07-01';
  const createStillWorld = () =>
    createCore({ seed: 3, world: { still: { since, countries: ['us'] } } }).world;
  const still = createStillWorld();
  const view = (country: string, day: string) => {
    const app = still.catalogues.ios.apps[7]!;
    const [search, chart] = [
      { store: 'ios', phrase: 'habit tracker', country, day } as const,
      { store: 'ios', country, chart: 'free', category: null, day } as const,
    ];
    return {
      order: still.order(search).map((one) => one.index),
      chart: chartOf(still, chart).map((one) => one.index),
      hints: hintsOf(still, { store: 'ios', country, prefix: 'ha', day }),
      reviews: reviewsOf(still, demo, country, new Date(`${day}T12:00:00Z`)),
      listings: [app, demo].map((one) => still.listing(one, { country, language: 'en', day })),
    };
  };

  it('is the same on every later day, while other days and countries differ', () => {
    const [now, later] = [view('us', since), view('us', '2026-09-15')];
    expect(later).toEqual(now);
    const [then, there] = [
      view('us', '2026-05-01'),
      [view('gb', since), view('gb', '2026-09-15')] as const,
    ];
    for (const part of ['order', 'chart', 'reviews', 'listings'] as const) {
      expect([part, then[part]]).not.toEqual([part, now[part]]);
      expect([part, there[0][part]]).not.toEqual([part, there[1][part]]);
    }
  });

  it('changes with overrides only', () => {
    const still = createStillWorld();
    const market = { store: 'ios', phrase: 'habit tracker', country: 'us' } as const;
    const [first, second] = still.order({ ...market, day: since });
    still.overrides.add({
      positions: [{ ...market, day: '2026-07-09', storeAppId: first!.storeAppId, position: null }],
    });
    expect(still.order({ ...market, day: '2026-07-08' })[0]).toBe(first);
    expect(still.order({ ...market, day: '2026-07-09' })[0]).toBe(second);
  });
});
