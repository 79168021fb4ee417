import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CauseKind } from '#contract/choices.ts';
import { getBriefing, type Briefing } from '#domain/insights/briefing/get-briefing.ts';
import { addDays } from '#lib/dates.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { readerOf } from '../harness/history.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';

keepOrder('days follow one another');

const firstDay = '2026-05-10';
const changeDay = addDays(firstDay, 3);
const rerankingDay = addDays(firstDay, 5);
const perKind = 5;
const ownApp = { store: 'ios', storeAppId: '1500000001' } as const;

interface Plan {
  /** The words of its phrases. */
  word: string;
  from: number;
  to: number;
  cause: CauseKind | null;
}

/** The title loses `mood` and gains `orbit`; the competitor's gains `nova`. */
const plans: Plan[] = [
  { word: 'orbit', from: 30, to: 18, cause: 'own_change' },
  { word: 'mood', from: 20, to: 33, cause: 'own_change' },
  { word: 'nova', from: 10, to: 11, cause: 'competitor_change' },
  { word: 'ember', from: 20, to: 26, cause: 'entrants' },
  { word: 'quartz', from: 20, to: 14, cause: 'leavers' },
  { word: 'violet', from: 20, to: 34, cause: null },
  { word: 'willow', from: 34, to: 20, cause: null },
  { word: 'tundra', from: 12, to: 12, cause: null },
];
/** Phrases with enough results for every plan. */
const phrasesOf = ({ word }: Plan): string[] =>
  [...'abcdefghijklm']
    .map((end) => `${word} ${end}`)
    .filter((phrase) => orderOf(phrase).length >= 75)
    .slice(0, perKind);
const orderOf = (phrase: string): string[] =>
  pipeline.simulator.order({ store: 'ios', phrase, country: 'us', day: firstDay, shownOn: 'api' });

let pipeline: Pipeline;
let workspaceId: number;
let appId: number;

beforeAll(async () => {
  pipeline = await startPipeline({
    day: firstDay,
    simulator: {
      world: {
        apps: 500,
        resultsPerSearch: 80,
        still: { since: addDays(firstDay, -5), countries: ['us'] },
      },
    },
  });
  const tracked = await pipeline.track(
    ownApp,
    plans.flatMap((plan) =>
      phrasesOf(plan).map((phrase) => ({ phrase, country: 'us', depth: 100 })),
    ),
  );
  const { rows } = await pipeline.db.pool.query<{ id: number; workspaceId: number }>(
    'select id, workspace_id as "workspaceId" from apps',
  );
  ({ id: appId, workspaceId } = rows[0]!);
  await planMoves(tracked.map(({ phrase }) => phrase));
  await runDays(firstDay, changeDay);
});
afterAll(() => pipeline.close());

async function planMoves(phrases: string[]): Promise<void> {
  const { simulator, db } = pipeline;
  const competitor = orderOf(phrases[0]!)[20]!;
  await db.pool.query(
    `with listing as (
       insert into listings (store, store_app_id, name) values ('ios', $1, $1) returning id
     )
     insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
       created_at)
     select a.workspace_id, a.id, listing.id, jsonb_build_array(jsonb_build_array($2::text, 200)),
       a.created_at, a.created_at from apps a, listing`,
    [competitor, firstDay],
  );
  await db.pool.query(
    'select refresh_listing_demand(array_agg(id)) from listings where store_app_id = $1',
    [competitor],
  );
  simulator.addOverrides({
    releases: [
      { ...ownApp, day: changeDay, fields: { title: 'Lumen: Orbit Habit Journal', subtitle: 'x' } },
      { store: 'ios', storeAppId: competitor, day: changeDay, fields: { title: 'Nova Days' } },
    ],
  });
  for (const plan of plans) {
    for (const phrase of phrasesOf(plan)) {
      const market = { store: 'ios', phrase, country: 'us' } as const;
      const others = orderOf(phrase).filter((id) => id !== ownApp.storeAppId && id !== competitor);
      const at = (day: string, storeAppId: string, position: number | null) => ({
        ...market,
        day,
        storeAppId,
        position,
      });
      simulator.addOverrides({
        positions: [
          at(firstDay, ownApp.storeAppId, plan.from),
          at(changeDay, ownApp.storeAppId, plan.to),
          // The store moves the app with the others.
          at(rerankingDay, ownApp.storeAppId, plan.to + 9),
          ...others
            .slice(0, 20)
            .flatMap((id, index) => (index % 2 === 0 ? [at(rerankingDay, id, index + 21)] : [])),
          ...(plan.cause === 'competitor_change'
            ? [at(firstDay, competitor, 25), at(changeDay, competitor, 4)]
            : []),
          ...(plan.cause === 'leavers'
            ? others.slice(0, 6).map((id) => at(changeDay, id, null))
            : []),
        ],
        entrants:
          plan.cause === 'entrants'
            ? others.slice(60, 66).map((storeAppId, index) => ({
                ...market,
                day: changeDay,
                storeAppId,
                position: 5 + index,
              }))
            : [],
      });
    }
  }
}

async function runDays(from: string, to: string): Promise<void> {
  for (let day = from; day <= to; day = addDays(day, 1)) await pipeline.runDay(day);
}

const briefingOn = (day: string, query: { since?: string } = {}): Promise<Briefing> =>
  getBriefing(readerOf(pipeline.db, workspaceId, `${day}T22:00:00Z`), appId, {
    limit: 100,
    ...query,
  });

test('names the cause of each move that has one, and no other', async () => {
  const briefing = await briefingOn(changeDay, { since: addDays(changeDay, -1) });
  const causes = new Map(briefing.movers.map((mover) => [mover.phrase, mover]));
  const wrong = plans.flatMap((plan) =>
    phrasesOf(plan).flatMap((phrase) => {
      const mover = causes.get(phrase);
      const kind = mover?.cause?.kind ?? null;
      return kind === plan.cause && (mover !== undefined) === (plan.from !== plan.to)
        ? []
        : [{ phrase, expected: plan.cause, kind, from: mover?.from, to: mover?.to }];
    }),
  );
  expect(wrong).toEqual([]);
  expect(briefing).toMatchObject({
    keywords: plans.length * perKind,
    compared: plans.length * perKind,
    notChecked: 0,
    unchanged: perKind,
    otherMovers: 0,
  });
});

test('compares with the day before when asked for the newest day or a later one', async () => {
  const expected = await briefingOn(changeDay);
  expect(expected).toMatchObject({
    from: addDays(changeDay, -1),
    compared: plans.length * perKind,
  });
  for (const since of [changeDay, addDays(changeDay, 1), addDays(changeDay, 60)])
    expect(await briefingOn(changeDay, { since })).toEqual(expected);
});

test('says when the store moved many apps', async () => {
  await runDays(addDays(changeDay, 1), rerankingDay);
  const briefing = await briefingOn(rerankingDay);
  expect(briefing).toMatchObject({ from: addDays(rerankingDay, -1), to: rerankingDay });
  expect(briefing.movers).toHaveLength(plans.length * perKind);
  expect(briefing.movers.filter(({ cause }) => cause?.kind !== 'reranking')).toEqual([]);
});
