import type { Simulator } from '#simulator/server.ts';
import type { CauseKind } from '#contract/choices.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';

export const ownApp = { store: 'ios', storeAppId: '1500000001' } as const;

interface Positions {
  from: number | null;
  to: number | null;
}

interface Plan extends Positions {
  /** The words of its phrases. */
  word: string;
  cause: CauseKind | null;
  /** What happens to other apps on the day of the move. */
  others?: {
    /** The positions of competitors before and after. */
    competitors?: { group: Group; from: number; to: number };
    /** Apps that are new, from this position on. */
    entrants?: { count: number; at: number };
    /** Apps that were known, from one position to another. */
    passers?: { count: number; from: number; to: number };
    /** The first apps of the results are gone. */
    leavers?: number;
  };
}

/** Competitors whose titles change together. */
type Group = 'gaining' | 'losing' | 'released';

/**
 * The own title gains `orbit`, `meadow` and `saddle` and loses `mood` and `tulip`, those of the
 * competitors gain `nova` and `cedar` and lose `pearl`. The keyword field gains `lotus`. The title
 * has had `comet` since the day before. Plans without a cause are decoys.
 */
const plans: Plan[] = [
  { word: 'orbit', from: 30, to: 18, cause: 'own_change' },
  { word: 'saddle', from: null, to: 22, cause: 'own_change' },
  { word: 'mood', from: 20, to: 33, cause: 'own_change' },
  { word: 'comet', from: 31, to: 19, cause: 'own_change' },
  { word: 'lotus', from: 28, to: 17, cause: 'own_change' },
  {
    word: 'nova',
    from: 9,
    to: 12,
    cause: 'competitor_change',
    others: { competitors: { group: 'gaining', from: 25, to: 4 } },
  },
  {
    word: 'pearl',
    from: 12,
    to: 9,
    cause: 'competitor_change',
    others: { competitors: { group: 'losing', from: 4, to: 30 } },
  },
  {
    word: 'ember',
    from: 20,
    to: 26,
    cause: 'entrants',
    others: { entrants: { count: 6, at: 5 } },
  },
  {
    word: 'harbor',
    from: 8,
    to: 12,
    cause: 'entrants',
    others: { entrants: { count: 3, at: 2 } },
  },
  { word: 'quartz', from: 20, to: 14, cause: 'leavers', others: { leavers: 6 } },
  { word: 'marble', from: 13, to: 9, cause: 'leavers', others: { leavers: 4 } },
  // Nothing else happens.
  { word: 'willow', from: 34, to: 20, cause: null },
  { word: 'canyon', from: 15, to: null, cause: null },
  // The description gains the word, which the store does not search.
  { word: 'violet', from: 34, to: 20, cause: null },
  // Gained and lost words, and moves in the other direction.
  { word: 'meadow', from: 18, to: 29, cause: null },
  { word: 'tulip', from: 29, to: 18, cause: null },
  // Competitors gain the word and stay below.
  {
    word: 'cedar',
    from: 14,
    to: 24,
    cause: null,
    others: { competitors: { group: 'gaining', from: 40, to: 41 } },
  },
  // Competitors pass after a version without words.
  {
    word: 'tundra',
    from: 9,
    to: 12,
    cause: null,
    others: { competitors: { group: 'released', from: 25, to: 4 } },
  },
  // Too few new apps, and new apps that are below.
  { word: 'copper', from: 20, to: 31, cause: null, others: { entrants: { count: 2, at: 6 } } },
  { word: 'saffron', from: 20, to: 29, cause: null, others: { entrants: { count: 4, at: 45 } } },
  // Apps that were just below the stored results.
  {
    word: 'basalt',
    from: 42,
    to: 48,
    cause: null,
    others: { passers: { count: 6, from: 53, to: 38 } },
  },
];

const ends = (
  'log notes daily coach timer plan buddy list board studio guide diary pocket kids pro ' +
  'home card plus pilot lens'
).split(' ');

/** Phrases for which the app moves with the others, without a plan. */
const natural: Plan = { word: '', from: null, to: null, cause: null };
const subjects = ['habit', 'routine', 'journal', 'tracker', 'planner', 'daily', 'streak', 'goal'];
const demoPhrases = ['habit tracker', 'habit', 'daily planner', 'routine planner', 'goal tracker'];
const naturalPhrases = [
  ...demoPhrases,
  'bullet journal',
  'streak counter',
  'morning routine',
  'gratitude journal',
  'journal',
  ...subjects.flatMap((subject) => ends.map((end) => `${subject} ${end}`)),
];

export interface Market {
  plan: Plan;
  phrase: string;
  /** The other apps, best first. */
  others: string[];
}

export interface Days {
  first: UtcDay;
  change: UtcDay;
  reranking: UtcDay;
}

export const daysFrom = (first: UtcDay): Days => ({
  first,
  change: addDays(first, 2),
  reranking: addDays(first, 3),
});

/**
 * Phrases with enough results: `perPlan` for each plan, and four times as many in which the app
 * has a position without one.
 */
export function chooseMarkets(simulator: Simulator, first: UtcDay, perPlan: number): Market[] {
  const toMarket = (plan: Plan, phrase: string) => {
    const query = { store: 'ios', phrase, country: 'us', day: first, shownOn: 'api' } as const;
    const order = simulator.order(query);
    const others = order.filter((id) => id !== ownApp.storeAppId);
    return { plan, phrase, others, isFound: others.length < order.length };
  };
  const planned = plans.flatMap((plan) =>
    ends
      .map((end) => toMarket(plan, `${plan.word} ${end}`))
      .filter(({ others }) => others.length >= 79)
      .slice(0, perPlan),
  );
  const unplanned = naturalPhrases
    .map((phrase) => toMarket(natural, phrase))
    .filter(({ others, isFound }) => isFound && others.length >= 50)
    .slice(0, 4 * perPlan);
  return [...planned, ...unplanned];
}

export const isPlanned = ({ plan }: Market): boolean => plan !== natural;

export type Competitors = Record<Group, string[]>;

/** Three apps for each group, from the middle of the first results. */
export function chooseCompetitors([{ others }]: [Market, ...Market[]]): Competitors {
  const [gaining, losing, released] = [20, 24, 28].map((at) => others.slice(at, at + 3));
  return { gaining: gaining!, losing: losing!, released: released! };
}

/** Everything that the world does because of the plans, and a reranking afterwards. */
export function planMoves(
  simulator: Simulator,
  markets: readonly Market[],
  competitors: Competitors,
  days: Days,
): void {
  const before = addDays(days.first, -3);
  const release = (storeAppId: string, day: UtcDay, fields: Record<string, string>) => ({
    store: 'ios' as const,
    storeAppId,
    day,
    fields,
  });
  const titles: Record<Group, [before: string, after: string]> = {
    gaining: ['Clear Hours', 'Clear Nova Cedar'],
    losing: ['Pearl Hours', 'Plain Hours'],
    released: ['Slow Hours', 'Slow Hours'],
  };
  const groups = Object.entries(competitors) as [Group, string[]][];
  simulator.addOverrides({
    releases: [
      release(ownApp.storeAppId, before, { title: 'Lumen: Mood Tulip', description: 'Calm.' }),
      release(ownApp.storeAppId, addDays(days.change, -1), { title: 'Lumen Comet: Mood Tulip' }),
      release(ownApp.storeAppId, days.change, {
        title: 'Lumen Comet: Orbit Meadow Saddle',
        description: 'Calm. Violet.',
        version: '9.1',
      }),
      ...groups.flatMap(([group, ids]) =>
        ids.flatMap((id) => [
          release(id, before, { title: titles[group][0] }),
          release(id, days.change, { title: titles[group][1], version: '9.1' }),
        ]),
      ),
    ],
    rerankings: [{ day: days.reranking, share: 0.7 }],
  });
  for (const market of markets.filter(isPlanned)) planMarket(simulator, market, competitors, days);
}

function planMarket(
  simulator: Simulator,
  { plan, phrase, others }: Market,
  competitors: Competitors,
  days: Days,
): void {
  const { from, to, others: moves = {} } = plan;
  const tracked = new Set(Object.values(competitors).flat());
  const untracked = others.filter((id) => !tracked.has(id));
  const at = <Position extends number | null>(
    day: UtcDay,
    storeAppId: string,
    position: Position,
  ) => ({ store: 'ios' as const, phrase, country: 'us', day, storeAppId, position });
  const both = (ids: readonly string[], start: number, end: number) =>
    ids.flatMap((id, index) => [
      at(days.first, id, start + index),
      at(days.change, id, end + index),
    ]);
  const { competitors: followed, entrants, passers, leavers = 0 } = moves;
  simulator.addOverrides({
    positions: [
      at(days.first, ownApp.storeAppId, from),
      at(days.change, ownApp.storeAppId, to),
      at(days.reranking, ownApp.storeAppId, (to ?? 20) + 14),
      ...(followed ? both(competitors[followed.group], followed.from, followed.to) : []),
      ...(passers ? both(untracked.slice(52, 52 + passers.count), passers.from, passers.to) : []),
      ...untracked.slice(0, leavers).map((id) => at(days.change, id, null)),
    ],
    entrants: entrants
      ? untracked
          .slice(60, 60 + entrants.count)
          .map((id, index) => at(days.change, id, entrants.at + index))
      : [],
  });
}
