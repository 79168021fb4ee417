import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getBriefing, type Briefing } from '#domain/insights/briefing/get-briefing.ts';
import { addDays } from '#lib/dates.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { readerOf } from '../harness/history.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';
import {
  chooseCompetitors,
  chooseMarkets,
  daysFrom,
  isPlanned,
  ownApp,
  planMoves,
  type Market,
} from './briefing-causes.fixtures.ts';

keepOrder('days follow one another');

const perPlan = process.env.TORTURE ? 12 : 6;
const worlds = Array.from({ length: process.env.TORTURE ? 10 : 1 }, (_, index) => index + 1);
/** In every other world movers are those of another season. */
const firstDayOf = (seed: number) => (seed % 2 === 1 ? '2026-05-10' : '2026-09-14');
const goal = 0.9;

/** Of movers with a cause, and of those without one. */
const counted = { named: 0, caused: 0, unnamed: 0, uncaused: 0 };

describe.each(worlds)('in world %i, where all results move', (seed) => {
  const days = daysFrom(firstDayOf(seed));
  let pipeline: Pipeline;
  let markets: Market[];
  let reader: { workspaceId: number; appId: number };

  beforeAll(async () => {
    pipeline = await startPipeline({
      day: days.first,
      storeTasks: false,
      simulator: { seed, world: { apps: 500, resultsPerSearch: 80 } },
    });
    const { simulator } = pipeline;
    markets = chooseMarkets(simulator, days.first, perPlan);
    await pipeline.track(
      ownApp,
      markets.map(({ phrase }) => ({ phrase, country: 'us', depth: 100 })),
    );
    reader = await findReader();
    const competitors = chooseCompetitors(markets as [Market, ...Market[]]);
    await followCompetitors(Object.values(competitors).flat());
    await saveField('calm', addDays(days.first, -1));
    await saveField('calm,lotus', days.change);
    planMoves(simulator, markets, competitors, days);
    for (let day = days.first; day <= days.change; day = addDays(day, 1))
      await pipeline.runDay(day);
  });
  afterAll(() => pipeline.close());

  async function findReader(): Promise<typeof reader> {
    const { rows } = await pipeline.db.pool.query<typeof reader>(
      'select id as "appId", workspace_id as "workspaceId" from apps',
    );
    return rows[0]!;
  }

  async function followCompetitors(storeAppIds: string[]): Promise<void> {
    await pipeline.db.pool.query(
      `with listing as (
         insert into listings (store, store_app_id, name)
         select 'ios', id, id from unnest($1::text[]) id returning id
       ), followed as (
         insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
           created_at)
         select a.workspace_id, a.id, listing.id,
           jsonb_build_array(jsonb_build_array($2::text, 200)), a.created_at, a.created_at
         from apps a, listing
       )
       select from listing`,
      [storeAppIds, days.first],
    );
    await pipeline.db.pool.query('select refresh_listing_demand(array_agg(id)) from listings');
  }

  async function saveField(text: string, day: string): Promise<void> {
    await pipeline.db.pool.query(
      `insert into keyword_fields (workspace_id, app_id, locale, text, normalized, saved_at)
       values ($1, $2, 'en-US', $3, $3, $4)`,
      [reader.workspaceId, reader.appId, text, `${day}T01:00:00Z`],
    );
  }

  const briefingOn = (day: string, since: string): Promise<Briefing> =>
    getBriefing(readerOf(pipeline.db, reader.workspaceId, `${day}T22:00:00Z`), reader.appId, {
      limit: 500,
      since,
    });

  /** Movers with another cause than the world has for them. */
  function findWrong({ movers }: Briefing) {
    const found = new Map(movers.map((mover) => [mover.phrase, mover]));
    expect(markets.filter((market) => isPlanned(market) && !found.has(market.phrase))).toEqual([]);
    const wrong = markets.flatMap(({ plan, phrase }) => {
      const mover = found.get(phrase);
      if (!mover) return [];
      const kind = mover.cause?.kind ?? null;
      const isRight = kind === plan.cause;
      if (plan.cause === null) {
        counted.uncaused += 1;
        counted.unnamed += Number(isRight);
      } else {
        counted.caused += 1;
        counted.named += Number(isRight);
      }
      return isRight
        ? []
        : [
            {
              phrase,
              expected: plan.cause,
              kind,
              from: mover.from.position,
              to: mover.to.position,
            },
          ];
    });
    return {
      caused: wrong.filter(({ expected }) => expected !== null),
      uncaused: wrong.filter(({ expected }) => expected === null),
    };
  }
  const withCause = () => markets.filter(({ plan }) => plan.cause !== null).length;

  test.each([1, 2])('names the causes of moves within %i days, and no others', async (back) => {
    const briefing = await briefingOn(days.change, addDays(days.change, -back));
    const { caused, uncaused } = findWrong(briefing);
    expect(uncaused).toEqual([]);
    expect(caused.length, JSON.stringify(caused)).toBeLessThanOrEqual((1 - goal) * withCause());
  });

  test('names a reranking as the cause of all moves', async () => {
    await pipeline.runDay(days.reranking);
    const { movers } = await briefingOn(days.reranking, days.change);
    const named = movers.filter(({ cause }) => cause?.kind === 'reranking').length;
    counted.named += named;
    counted.caused += movers.length;
    expect(movers.length).toBeGreaterThanOrEqual(markets.filter(isPlanned).length);
    expect(named).toBeGreaterThanOrEqual(goal * movers.length);
  });
});

afterAll(() => {
  const { named, caused, unnamed, uncaused } = counted;
  console.log(
    `briefing: ${named} of ${caused} movers with a cause have it named, ` +
      `${unnamed} of ${uncaused} without one have none`,
  );
});
