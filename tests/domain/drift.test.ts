import { describe, expect, test } from 'vitest';
import { confirmLost, type LostValues } from '#domain/tracking/drift/confirm-lost.ts';
import { compareResults, markUntrusted } from '#domain/tracking/drift/compare-results.ts';
import { findOrdinaryShare } from '#domain/tracking/drift/drift-score.ts';
import { compareReading, type FieldReading } from '#domain/tracking/drift/field-reading.ts';
import { FieldWatch, type FieldCount } from '#domain/tracking/drift/field-watch.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
import { mix, unit } from '#simulator/world/hash.ts';

const firstDay = '2026-03-01';
const at = { store: 'ios', source: 'page' } as const;
const seeds = [1, 2, 3, 4, 5, 6];

/** How often a listing that has a field loses it on a day without anything being wrong. */
const habits = {
  subtitle: { has: 0.4, loses: 0.003, gains: 0.003 },
  releaseNotes: { has: 0.95, loses: 0.01, gains: 0.2 },
  // Some apps have another version for each device.
  version: { has: 0.9, loses: 0.12, gains: 0.9 },
  // Hardly any app has it.
  video: { has: 0.03, loses: 0.01, gains: 0.0003 },
};
type Field = keyof typeof habits;
const fields = Object.keys(habits) as Field[];
const countries = 3;

interface Listing {
  app: number;
  has: Set<Field>;
  known: Set<string>;
}

/** Listings in some countries, which change honestly from day to day, and a watch over them. */
function startStore(seed: number, apps: number) {
  let draws = 0;
  const chance = () => unit(mix(seed, (draws += 1)));
  const watch = new FieldWatch();
  const counted: FieldCount[] = [];
  const makeListings = (from: number, count: number, share: (field: Field) => number) =>
    Array.from({ length: count * countries }, (_, index): Listing => {
      const has = new Set(fields.filter((field) => chance() < share(field)));
      return { app: from + Math.floor(index / countries), has, known: new Set() };
    });
  const listings = makeListings(0, apps, (field) => habits[field].has);

  const changeHonestly = () => {
    // A developer of four apps rewrites them all, once in ten days.
    const rewritten = Math.floor(chance() * 10 * (apps / 4)) * 4;
    for (const { app, has } of listings) {
      for (const field of fields)
        if (has.has(field) && chance() < habits[field].loses) has.delete(field);
        else if (chance() < habits[field].gains) has.add(field);
      if (app >= rewritten && app < rewritten + 4) has.delete('subtitle');
    }
  };
  const readHistories = () =>
    fields.map((field) => {
      const days = counted.filter((count) => count.field === field).slice(-14);
      const sum = (read: (count: FieldCount) => number) =>
        days.reduce((total, count) => total + read(count), 0);
      const lost = sum((count) => count.lost);
      return { ...at, field, days: days.length, readings: lost + sum(({ read }) => read), lost };
    });
  return {
    chance,
    /**
     * Reads all listings in a random order. Returns the number of readings after which each
     * drifting field was reported.
     */
    readDay(day: UtcDay, isNulled: (field: Field, reading: number) => boolean = () => false) {
      changeHonestly();
      watch.setHistories(day, readHistories());
      const order = listings.map((listing) => ({ listing, at: chance() }));
      const reported = new Map<string, number>();
      order.sort((a, b) => a.at - b.at);
      for (const [index, { listing }] of order.entries()) {
        const shown = fields.filter((field) => listing.has.has(field) && !isNulled(field, index));
        const facts = Object.fromEntries(shown.map((field) => [field, 'x']));
        const reading = compareReading(String(listing.app), fields, facts, listing.known);
        watch.add({ ...at, day }, [reading]);
        const drifting = watch.listDrifting(at);
        for (const field of drifting) if (!reported.has(field)) reported.set(field, index + 1);
        listing.known = new Set([...shown, ...drifting]);
      }
      counted.push(...watch.takeCounts());
      return reported;
    },
    addApps: (count: number, share: (field: Field) => number) =>
      void listings.push(...makeListings(apps, count, share)),
  };
}

describe('honest days', () => {
  test('never look like a drift in sixty days, whatever apps are added', () => {
    for (const seed of seeds) {
      const store = startStore(seed, 80);
      for (let day = 0; day < 60; day += 1) {
        // Many new apps of which hardly any has a subtitle or release notes.
        if (day === 30) store.addApps(120, (field) => (field === 'version' ? 0.9 : 0.02));
        const reported = [...store.readDay(addDays(firstDay, day)).keys()];
        expect({ seed, day, reported }).toEqual({ seed, day, reported: [] });
      }
    }
  });

  test('are not compared before there are three of them with twenty readings', () => {
    const history = { days: 3, readings: 20, lost: 0 };
    expect(findOrdinaryShare(history)).toBeCloseTo(2 / 22);
    expect(findOrdinaryShare({ ...history, days: 2 })).toBeNull();
    expect(findOrdinaryShare({ ...history, readings: 19 })).toBeNull();
    expect(findOrdinaryShare({ days: 14, readings: 10_000, lost: 0 })).toBe(0.02);
    expect(findOrdinaryShare({ days: 14, readings: 1_000, lost: 300 })).toBeCloseTo(0.6);
    // A value that comes and goes says nothing when it is gone.
    expect(findOrdinaryShare({ days: 14, readings: 1_000, lost: 450 })).toBeNull();
  });

  test('with a few lost values of one app in all of its countries are no drift', () => {
    const watch = watchWithHistory();
    for (let country = 0; country < 60; country += 1) watch.add(today, [lose('1', 'subtitle')]);
    expect(watch.listDrifting(at)).toEqual([]);
    for (const app of ['2', '3', '4']) watch.add(today, [lose(app, 'subtitle')]);
    expect(watch.listDrifting(at)).toEqual([]);
  });
});

describe('a field that loses its values in the middle of a day', () => {
  test.each([
    [1, 12],
    [0.6, 40],
    [0.3, 130],
  ])('in a share of %s of its readings is reported within %i readings', (share, within) => {
    for (const seed of seeds) {
      const store = startStore(seed, 100);
      for (let day = 0; day < 5; day += 1) store.readDay(addDays(firstDay, day));
      const from = Math.floor(store.chance() * 150);
      const reported = store.readDay(
        addDays(firstDay, 5),
        (field, reading) => field === 'releaseNotes' && reading >= from && store.chance() < share,
      );
      expect([...reported.keys()], `seed ${seed}`).toEqual(['releaseNotes']);
      expect(reported.get('releaseNotes')! - from, `seed ${seed}`).toBeLessThanOrEqual(within);
    }
  });

  test('is one only for that field, and no longer once it is read again', () => {
    const watch = watchWithHistory();
    for (let app = 0; app < 10; app += 1) watch.add(today, [lose(String(app), 'subtitle')]);
    expect(watch.listDrifting(at)).toEqual(['subtitle']);
    expect(watch.listDrifting({ ...at, source: 'listing' })).toEqual([]);
    expect(watch.listTransitions()).toEqual({ began: [{ ...at, field: 'subtitle' }], ended: [] });
    watch.setStoredDrifts([{ ...at, field: 'subtitle' }]);
    for (let app = 0; app < 27; app += 1) watch.add(today, [read(String(app), 'subtitle')]);
    expect(watch.listDrifting(at)).toEqual(['subtitle']);
    watch.add(today, [read('27', 'subtitle')]);
    expect(watch.listDrifting(at)).toEqual([]);
    expect(watch.listTransitions()).toEqual({ began: [], ended: [{ ...at, field: 'subtitle' }] });
  });

  test('drifts in a process that has read nothing yet, until another one ends it', () => {
    const watch = watchWithHistory();
    watch.setStoredDrifts([{ ...at, field: 'subtitle' }]);
    expect(watch.listDrifting(at)).toEqual(['subtitle']);
    watch.setStoredDrifts([]);
    expect([watch.listDrifting(at), watch.listTransitions()]).toEqual([
      [],
      { began: [], ended: [] },
    ]);
  });
});

describe('a value that was there before', () => {
  const nothing = { lostOn: null, lostFields: [] };
  const confirm = (watch: FieldWatch, day: UtcDay, lost: LostValues) =>
    confirmLost(watch, { ...at, day }, [{ reading: lose('1', 'subtitle'), ...lost }])[0]!;
  const later = addDays(firstDay, 1);

  test('is lost when the reading of a later day lacks it too', () => {
    const watch = watchWithHistory();
    const first = confirm(watch, firstDay, nothing);
    expect(first).toEqual({
      untrusted: ['subtitle'],
      lostOn: firstDay,
      lostFields: ['subtitle'],
    });
    expect(confirm(watch, firstDay, first)).toEqual(first);
    expect(confirm(watch, later, first)).toEqual({ untrusted: [], ...nothing });
    const other = { ...first, lostFields: ['version'] };
    expect(confirm(watch, later, other)).toEqual({ ...first, lostOn: later });
  });

  test('is never lost while the field drifts', () => {
    const watch = watchWithHistory();
    watch.setStoredDrifts([{ ...at, field: 'subtitle' }]);
    const before = { lostOn: firstDay, lostFields: ['subtitle'] };
    expect(confirm(watch, later, before)).toEqual({ untrusted: ['subtitle'], ...nothing });
  });
});

describe('a list of results', () => {
  const card = (storeAppId: string, over: object = {}) => ({
    storeAppId,
    bundleId: 'b',
    name: 'n',
    developer: 'd',
    iconUrl: 'i',
    rating: 4,
    ratingCount: null as number | null,
    unread: [] as string[],
    ...over,
  });
  const cards = (over: object) => ['1', '2', '3', '4', '5'].map((id) => card(id, over));

  test('lacks a field that none of its apps has', () => {
    expect(compareResults('9', cards({}), [])).toEqual({
      subject: '9',
      read: ['bundleId', 'developer', 'iconUrl', 'rating'],
      missing: ['ratingCount'],
      lost: [],
    });
    const one = [card('0'), ...cards({ rating: null, developer: null })];
    expect(compareResults('9', one, ['rating'])?.lost).toEqual([]);
  });

  test('has lost ratings only where its market had some, and needs five apps', () => {
    const bare = cards({ rating: null, developer: null });
    expect(compareResults('9', bare, [])?.lost).toEqual(['developer']);
    expect(compareResults('9', bare, ['rating'])?.lost).toEqual(['developer', 'rating']);
    expect(compareResults('9', bare.slice(1), ['rating'])).toBeNull();
  });

  test('has its absent drifting fields among those that could not be read', () => {
    const bare = card('1', { rating: null, ratingCount: 0, unread: ['iconUrl'] });
    expect(markUntrusted(bare, ['rating', 'developer', 'sections']).unread).toEqual([
      'iconUrl',
      'rating',
    ]);
    expect(markUntrusted(bare, ['ratingCount'])).toMatchObject({ ratingCount: null });
    expect(markUntrusted(card('1'), ['rating']).unread).toEqual([]);
  });
});

const today = { ...at, day: firstDay };

function watchWithHistory(): FieldWatch {
  const watch = new FieldWatch();
  const history = { days: 14, readings: 1_000, lost: 2 };
  watch.setHistories(firstDay, [{ ...at, field: 'subtitle', ...history }]);
  return watch;
}

function read(subject: string, field: string): FieldReading {
  return { subject, read: [field], missing: [], lost: [] };
}

function lose(subject: string, field: string): FieldReading {
  return { subject, read: [], missing: [field], lost: [field] };
}
