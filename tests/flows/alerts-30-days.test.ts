import { afterAll, beforeAll, expect, test } from 'vitest';
import { withReleases } from '../../simulator/world/plants.ts';
import { createWorld } from '../../simulator/world/world.ts';
import { demoPhrases, type Planting } from '../../simulator/server.ts';
import { addDays, listDays } from '../../src/lib/dates.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';

/** Each fact of the invented world is worked out here again, from what the simulator knows, the plain way. */
const scale = process.env.TORTURE ? { days: 30, phrases: 20 } : { days: 11, phrases: 5 };
const firstDay = '2026-03-02';
const days = listDays(firstDay, addDays(firstDay, scale.days - 1));
const dayOf = (number: number) => addDays(firstDay, number);
const worldOptions = { apps: 400, resultsPerSearch: 80 };
const own = { store: 'ios', storeAppId: '1500000001' } as const;
const phrases = demoPhrases.slice(0, scale.phrases).map(({ phrase }) => ({ phrase, country: 'us' }));
/** Days on which the store does not answer for a phrase: across three of them things are compared, across four they are not. */
const silences = [
  { phrase: phrases[0]!.phrase, days: [dayOf(3), dayOf(4), dayOf(5)] },
  { phrase: phrases[1]!.phrase, days: [dayOf(3), dayOf(4), dayOf(5), dayOf(6)] },
];
const isSilent = (phrase: string, day: string) => silences.some((silence) => silence.phrase === phrase && silence.days.includes(day));

let pipeline: Pipeline;
let tracked: TrackedMarket[];
let rival: string;
let stranger: string;
let planting: Planting;
const told: { type: string; date: string; data: Record<string, never> & Record<string, unknown> }[] = [];

beforeAll(async () => {
  pipeline = await startPipeline({ day: firstDay, simulator: { world: worldOptions } });
  const { simulator, db } = pipeline;
  await db.pool.query(`alter table workspaces alter created_at set default '2026-02-01'`);
  const order = simulator.order({ store: 'ios', country: 'us', phrase: phrases[2]!.phrase, day: firstDay });
  rival = order.find((id) => id !== own.storeAppId)!;
  stranger = simulator.world.catalogues.ios.apps.find(
    (app) =>
      phrases.every(({ phrase }) => !simulator.order({ store: 'ios', country: 'us', phrase, day: firstDay }).includes(app.storeAppId)) &&
      simulator.world.findApp('ios', app.storeAppId, 'us', dayOf(scale.days)),
  )!.storeAppId;
  planting = {
    reviews: [
      { ...own, country: 'us', at: `${dayOf(2)}T10:00:00Z`, rating: 1, title: 'Broken', body: 'It broke today.', storeReviewId: '99000000001' },
      { ...own, country: 'us', at: `${dayOf(4)}T10:00:00Z`, rating: 3, body: 'Neither good nor bad.', storeReviewId: '99000000002' },
      { ...own, country: 'us', at: `${dayOf(6)}T10:00:00Z`, rating: 5, body: 'Lovely.', storeReviewId: '99000000003' },
      { ...own, country: 'us', at: `${dayOf(8)}T10:00:00Z`, rating: 2, body: 'Not any more.', storeReviewId: '99000000003' },
    ],
    releases: [
      { ...own, day: dayOf(3), fields: { title: 'Lumen: Calm Habits', version: '90.0.0' } },
      { ...own, day: dayOf(7), fields: { subtitle: 'Streaks and moods' } },
      { store: 'ios', storeAppId: rival, day: dayOf(5), fields: { description: 'Now with everything.' } },
    ],
    entrants: [{ store: 'ios', phrase: phrases[2]!.phrase, country: 'us', day: dayOf(9), storeAppId: stranger, position: 4 }],
  };
  simulator.plant(planting);
  tracked = await pipeline.track(own, phrases);
  await follow(rival);
  for (const day of days) await liveThrough(day);
  const { rows } = await db.pool.query<{ body: string }>('select body from events order by sequence');
  told.push(
    ...rows.map(({ body }) => JSON.parse(body)).map(({ type, timestamp, data }) => ({ type, date: (timestamp as string).slice(0, 10), data })),
  );
}, 900_000);
afterAll(() => pipeline.close());

/** A competitor of the tracked app. */
async function follow(storeAppId: string): Promise<void> {
  const { rows } = await pipeline.db.pool.query(
    `with listing as (
       insert into listings (store, store_app_id) values ('ios', $1) on conflict (store, store_app_id) do update set store_app_id = excluded.store_app_id returning id
     )
     insert into competitors (workspace_id, app_id, listing_id, terms, followed_at, created_at)
     select a.workspace_id, a.id, listing.id, $2, $3, $3 from apps a, listing returning listing_id as id`,
    [storeAppId, JSON.stringify([[addDays(firstDay, 1), 200]]), pipeline.clock.now()],
  );
  await pipeline.db.pool.query('select refresh_listing_demand($1), refresh_chore_demand($1)', [[rows[0].id]]);
}

/** The day's run, and the hours after it in which sweeps catch up. */
async function liveThrough(day: string): Promise<void> {
  pipeline.simulator.setFaults(
    silences.filter((silence) => silence.days.includes(day)).map(({ phrase }) => ({ fault: '503', kind: 'search', phrase })),
  );
  await pipeline.runDay(day);
  for (let minute = 0; minute < 8; minute += 1) {
    pipeline.clock.advance(60_000);
    await pipeline.beat();
  }
  pipeline.clock.set(`${day}T12:00:00Z`);
  await pipeline.beat();
}

const ofType = (...types: string[]) => told.filter((event) => types.includes(event.type));

test('moves of the own places are told as the true order has them, and nothing else', () => {
  const place = (phrase: string, day: string) =>
    pipeline.simulator.truth({ store: 'ios', phrase, country: 'us', storeAppId: own.storeAppId, day }).position;
  const expected = tracked.flatMap(({ phrase, keywordId }) => {
    const checked = days.filter((day) => !isSilent(phrase, day));
    return checked.slice(1).flatMap((day, index) => {
      const before = checked[index]!;
      if (listDays(before, day).length - 2 > 3) return [];
      const [a, b] = [place(phrase, before) ?? 999, place(phrase, day) ?? 999];
      const isFar = a < 999 && b < 999 && Math.abs(a - b) >= 5;
      const isAcross = [1, 3, 10, 50, 200].some((line) => a <= line !== b <= line);
      return a !== b && (isFar || isAcross) ? [`${day} ${keywordId} ${b > a ? 'rank.dropped' : 'rank.improved'} ${a}-${b}`] : [];
    });
  });
  const events = ofType('rank.dropped', 'rank.improved').map(({ type, data }) => {
    const { from, to, keywordId } = data as unknown as {
      keywordId: number;
      from: { position: number | null };
      to: { date: string; position: number | null };
    };
    return `${to.date} ${keywordId} ${type} ${from.position ?? 999}-${to.position ?? 999}`;
  });
  expect(expected.length).toBeGreaterThan(scale.days / 2);
  expect(events.toSorted()).toEqual(expected.toSorted());
});

test('who comes into a top 10 is told when seven checked days before are known without it', () => {
  const known = (phrase: string, day: string) =>
    pipeline.simulator.order({ store: 'ios', country: 'us', phrase, day }).slice(0, pipeline.runtime.services.settings.serpKeepDepth);
  const expected = phrases.flatMap(({ phrase }) => {
    const checked = days.filter((day) => !isSilent(phrase, day));
    return checked.flatMap((day, index) => {
      const before = checked
        .slice(0, index)
        .filter((one) => one >= addDays(day, -14))
        .slice(-7);
      if (before.length < 7) return [];
      const seen = new Set(before.flatMap((one) => known(phrase, one)));
      return known(phrase, day)
        .slice(0, 10)
        .flatMap((id, place) => (seen.has(id) || id === own.storeAppId ? [] : [`${day} ${phrase} ${id} ${place + 1}`]));
    });
  });
  const events = ofType('serp.entrant').map(({ data }) => {
    const { date, phrase, entrant, position } = data as unknown as {
      date: string;
      phrase: string;
      entrant: { storeAppId: string };
      position: number;
    };
    return `${date} ${phrase} ${entrant.storeAppId} ${position}`;
  });
  expect(expected).toContain(`${dayOf(9)} ${phrases[2]!.phrase} ${stranger} 4`);
  expect(events.toSorted()).toEqual(expected.toSorted());
});

test('what the app and its competitor changed is told field by field on its day', () => {
  const world = createWorld(1, worldOptions);
  const listingOn = (storeAppId: string, day: string) => {
    const app = world.findApp('ios', storeAppId, 'us', day)!;
    const releases = planting.releases!.filter((release) => release.storeAppId === storeAppId && release.day <= day);
    const { title, subtitle, description, version, priceCents } = withReleases(world.listing(app, { country: 'us', language: 'en', day }), releases);
    return { name: title, subtitle, description, version, price: priceCents };
  };
  const expected = [own.storeAppId, rival].flatMap((storeAppId) =>
    days.slice(1).flatMap((day) => {
      const [before, after] = [listingOn(storeAppId, addDays(day, -1)), listingOn(storeAppId, day)];
      return Object.entries(after).flatMap(([field, value]) =>
        value === before[field as keyof typeof before] ? [] : [`${day} ${storeAppId} ${field}`],
      );
    }),
  );
  const changes = ofType('metadata.changed').flatMap(({ data }) => {
    const {
      date,
      listing,
      subject,
      changes: fields,
    } = data as unknown as { date: string; listing: { storeAppId: string }; subject: string; changes: { field: string }[] };
    expect(subject).toBe(listing.storeAppId === rival ? 'competitor' : 'app');
    return fields.map(({ field }) => `${date} ${listing.storeAppId} ${field}`);
  });
  expect(expected).toEqual(
    expect.arrayContaining([`${dayOf(3)} ${own.storeAppId} name`, `${dayOf(7)} ${own.storeAppId} subtitle`, `${dayOf(5)} ${rival} description`]),
  );
  expect(changes.filter((change) => !change.endsWith('releaseNotes')).toSorted()).toEqual(expected.toSorted());
});

test('a low review is told once: when it is new, or when an edit made it low', () => {
  const seen = new Map<string, string>();
  const low = new Map<string, string>();
  for (const day of days) {
    const now = new Date(`${day}T02:00:00Z`);
    for (const { storeReviewId, rating, at } of pipeline.simulator.reviews({ ...own, country: 'us', at: now })) {
      const isNew = seen.get(storeReviewId) !== at.toISOString() && now.getTime() - at.getTime() <= 7 * 86_400_000;
      if (isNew && rating <= 2 && !low.has(storeReviewId)) low.set(storeReviewId, day);
      seen.set(storeReviewId, at.toISOString());
    }
  }
  const events = ofType('review.negative').map(({ date, data }) => `${date} ${data['rating']} ${data['writtenAt']}`);
  expect(events).toHaveLength(low.size);
  expect(events).toEqual(expect.arrayContaining([`${dayOf(3)} 1 ${dayOf(2)}T10:00:00.000Z`, `${dayOf(9)} 2 ${dayOf(8)}T10:00:00.000Z`]));
  expect(
    ofType('review.negative')
      .map(({ date }) => date)
      .toSorted(),
  ).toEqual([...low.values()].toSorted());
});

test('the digest comes once an ISO week, and nothing is left to be judged', async () => {
  const mondays = days.filter((day) => new Date(day).getUTCDay() === 1);
  expect(ofType('digest.weekly').map(({ date, data }) => [date, data['week']])).toEqual(mondays.map((day) => [day, addDays(day, -7)]));
  const { rows } = await pipeline.db.pool.query(
    'select (select count(*) from unjudged_checks) + (select count(*) from changes where not judged) as left',
  );
  expect(Number(rows[0].left)).toBe(0);
  const { rows: numbers } = await pipeline.db.pool.query('select array_agg(sequence order by sequence) as sequences from events');
  expect(numbers[0].sequences.map(Number)).toEqual(told.map((_, index) => index + 1));
});
