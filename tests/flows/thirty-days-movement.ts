import type { EventData, EventObject } from '#contract/events.ts';
import { addDays, listDays } from '#lib/dates.ts';
import { demoPhrases, type Overrides, type Simulator } from '#simulator/server.ts';
import { withReleaseOverrides } from '#simulator/world/overrides.ts';
import { createCore } from '#simulator/core.ts';
import { dayOf, days, isReachable, isOut, own, scale, world } from './thirty-days-plan.ts';

/**
 * Bob's expected events, in a country with ordinary movement: computed from the simulator's ground
 * truth in a simple way.
 */
const country = 'gb';
export const bobsApp = { store: 'ios', storeAppId: '1500000001' } as const;
/** Ann's app: both get an alert for its release, each in their country. */
export const bobsCompetitor = own.ios;
export const bobsPhrases = demoPhrases.slice(0, scale.bobsPhrases).map(({ phrase }) => phrase);
const market = { store: 'ios', country } as const;

/** The days on which its listings and reviews were fetched. */
const readDays = days.filter((_, number) => !isOut('ios', number));
const checkedDays = (phrase: string) =>
  days.filter((_, number) => isReachable({ ...market, phrase }, number));

/**
 * An app without positions in Bob's searches that enters one of them on day 9, with its reviews.
 */
export function overridesForBob(simulator: Simulator): { stranger: string } {
  const orders = bobsPhrases.map((phrase) => simulator.order({ ...market, phrase, day: dayOf(0) }));
  const { storeAppId } = simulator.world.catalogues.ios.apps.find(
    (app) =>
      orders.every((order) => !order.includes(app.storeAppId)) &&
      simulator.world.findApp('ios', app.storeAppId, country, dayOf(scale.days)),
  )!;
  const review = (day: number, rating: number, body: string, storeReviewId: string) => ({
    ...bobsApp,
    country,
    at: `${dayOf(day)}T10:00:00Z`,
    rating,
    body,
    storeReviewId,
  });
  simulator.addOverrides({
    entrants: [{ ...market, phrase: bobsPhrases[2]!, day: dayOf(9), storeAppId, position: 4 }],
    releases: [
      { ...bobsApp, day: dayOf(3), fields: { title: 'Lumen: Calm Habits', version: '90.0.0' } },
    ],
    reviews: [
      review(2, 1, 'It broke today.', '98000000001'),
      review(6, 5, 'Lovely.', '98000000003'),
      review(7, 2, 'Not any more.', '98000000003'),
    ],
  } satisfies Overrides);
  return { stranger: storeAppId };
}

/** `<day> <phrase> <type> <from>-<to>`; 999 is not found. */
export function expectedMoves(simulator: Simulator): string[] {
  const status = (phrase: string, day: string) =>
    simulator.groundTruth({ ...market, phrase, storeAppId: bobsApp.storeAppId, day }).position ??
    999;
  return bobsPhrases.flatMap((phrase) => {
    const checked = checkedDays(phrase);
    return checked.slice(1).flatMap((day, index) => {
      const before = checked[index]!;
      if (listDays(before, day).length - 2 > 3) return [];
      const [a, b] = [status(phrase, before), status(phrase, day)];
      const isFar = a < 999 && b < 999 && Math.abs(a - b) >= 5;
      const isAcross = [1, 3, 10, 50, 200].some((line) => a <= line !== b <= line);
      return a !== b && (isFar || isAcross)
        ? [`${day} ${phrase} ${b > a ? 'rank.dropped' : 'rank.improved'} ${a}-${b}`]
        : [];
    });
  });
}

export function notifiedMoves(events: readonly EventObject[]): string[] {
  return events.flatMap(({ type, data }) => {
    if (type !== 'rank.dropped' && type !== 'rank.improved') return [];
    const { phrase, from, to } = data as {
      phrase: string;
      from: { position: number | null };
      to: { date: string; position: number | null };
    };
    return [`${to.date} ${phrase} ${type} ${from.position ?? 999}-${to.position ?? 999}`];
  });
}

/**
 * `<day> <phrase> <app> <position>`: in the top 10, and in none of the seven checked days before
 * within the stored results.
 */
export function expectedEntrants(simulator: Simulator, keptPositions: number): string[] {
  const known = (phrase: string, day: string) =>
    simulator.order({ ...market, phrase, day }).slice(0, keptPositions);
  return bobsPhrases.flatMap((phrase) => {
    const checked = checkedDays(phrase);
    return checked.flatMap((day, index) => {
      const before = checked
        .slice(0, index)
        .filter((one) => one >= addDays(day, -14))
        .slice(-7);
      if (before.length < 7) return [];
      const seen = new Set(before.flatMap((one) => known(phrase, one)));
      return known(phrase, day)
        .slice(0, 10)
        .flatMap((id, at) =>
          seen.has(id) || id === bobsApp.storeAppId ? [] : [`${day} ${phrase} ${id} ${at + 1}`],
        );
    });
  });
}

export function notifiedEntrants(events: readonly EventObject[]): string[] {
  return events.flatMap(({ type, data }) => {
    if (type !== 'serp.entrant') return [];
    const { date, phrase, entrant, position } = data as {
      date: string;
      phrase: string;
      entrant: { storeAppId: string };
      position: number;
    };
    return [`${date} ${phrase} ${entrant.storeAppId} ${position}`];
  });
}

/** `<day> <app> <field>`. */
export function expectedChanges(simulator: Simulator): string[] {
  const withoutOverrides = createCore({ seed: 1, world }).world;
  const { releases } = simulator.overrides();
  const listingOn = (storeAppId: string, day: string) => {
    const app = withoutOverrides.findApp('ios', storeAppId, country, day)!;
    const own = releases.filter(
      (release) => release.storeAppId === storeAppId && release.day <= day,
    );
    const { title, subtitle, description, version, priceCents } = withReleaseOverrides(
      withoutOverrides.listing(app, { country, language: 'en', day }),
      own,
    );
    return { name: title, subtitle, description, version, price: priceCents };
  };
  return [bobsApp.storeAppId, bobsCompetitor.storeAppId].flatMap((storeAppId) =>
    readDays.slice(1).flatMap((day, index) => {
      const [before, after] = [listingOn(storeAppId, readDays[index]!), listingOn(storeAppId, day)];
      return Object.entries(after).flatMap(([field, value]) =>
        value === before[field as keyof typeof before] ? [] : [`${day} ${storeAppId} ${field}`],
      );
    }),
  );
}

export function notifiedChanges(events: readonly EventObject[]): string[] {
  return events.flatMap(({ type, data }) => {
    if (type !== 'metadata.changed') return [];
    const { date, listing, changes } = data as {
      date: string;
      listing: { storeAppId: string };
      changes: { field: string }[];
    };
    return changes
      .filter(({ field }) => field !== 'releaseNotes')
      .map(({ field }) => `${date} ${listing.storeAppId} ${field}`);
  });
}

/** `<day> <rating> <written at>`: when it is new, or when an edit made it low. */
export function expectedReviews(simulator: Simulator): string[] {
  const seen = new Map<string, string>();
  const alerts = new Map<string, string>();
  for (const day of readDays) {
    const now = new Date(`${day}T02:00:00Z`);
    for (const { storeReviewId, rating, at } of simulator.reviews({
      ...bobsApp,
      country,
      at: now,
    })) {
      const isNew =
        seen.get(storeReviewId) !== at.toISOString() &&
        now.getTime() - at.getTime() <= 7 * 86_400_000;
      if (isNew && rating <= 2 && !alerts.has(storeReviewId))
        alerts.set(storeReviewId, `${day} ${rating} ${at.toISOString()}`);
      seen.set(storeReviewId, at.toISOString());
    }
  }
  return [...alerts.values()];
}

export function notifiedReviews(events: readonly EventObject[]): string[] {
  return events.flatMap(({ type, timestamp, data }) => {
    const { rating, writtenAt } = data as { rating: number; writtenAt: string };
    return type === 'review.negative' ? [`${timestamp.slice(0, 10)} ${rating} ${writtenAt}`] : [];
  });
}

/** Pairs of a day and a position in Bob's actions that contradict the true order. */
export function falseEvidence(
  simulator: Simulator,
  actions: readonly EventData['action.opened'][],
): string[] {
  return actions.flatMap(({ actionType, evidence }) => {
    const {
      phrase,
      latest,
      own: ofOwn,
      checks = [],
      recent = [],
    } = evidence as Partial<Record<'phrase', string>> & Evidence;
    const pairs = [latest, ofOwn, ...(Array.isArray(checks) ? checks : []), ...recent].filter(
      (pair) => pair !== undefined,
    );
    return pairs.flatMap(({ date, position }) => {
      const truth = simulator.groundTruth({
        ...market,
        phrase: phrase!,
        storeAppId: bobsApp.storeAppId,
        day: date,
      }).position;
      return position === truth
        ? []
        : [`${actionType} ${phrase} ${date}: ${position}, true ${truth}`];
    });
  });
}

interface Pair {
  date: string;
  position: number | null;
}
interface Evidence {
  latest?: Pair;
  own?: Pair;
  checks?: Pair[] | number;
  recent?: Pair[];
}
