import type { EventObject } from '#contract/events.ts';
import { expectedActions } from './thirty-days-actions.ts';
import { checksOf, type AnnsFacts } from './thirty-days-outcome.ts';
import { dayOf, days, own, phrases, overrides } from './thirty-days-plan.ts';

type StoreName = 'ios' | 'android';
const country = 'us';

/** Ann's digest of a week, counted from 0: all but the visibility, which has tests of its own. */
export function expectedDigest(
  facts: AnnsFacts,
  { week, events }: { week: number; events: readonly EventObject[] },
): object {
  const [monday, sunday] = [7 * week, 7 * week + 6];
  const ofWeek = events.filter(
    ({ timestamp, type }) => isWithin(timestamp, monday, sunday) && type !== 'digest.weekly',
  );
  const counts = Map.groupBy(ofWeek, ({ type }) => type);
  return {
    week: dayOf(monday),
    from: dayOf(monday),
    to: dayOf(sunday),
    apps: (['ios', 'android'] as const).map((store) => appOf(facts, store, { monday, sunday })),
    moreApps: 0,
    events: Object.fromEntries([...counts].map(([type, reported]) => [type, reported.length])),
  };
}

function isWithin(instant: string, from: number, to: number): boolean {
  const day = days.indexOf(instant.slice(0, 10));
  return day >= from && day <= to;
}

function appOf(
  facts: AnnsFacts,
  store: StoreName,
  { monday, sunday }: { monday: number; sunday: number },
) {
  const status = phrases[store].map((phrase) => checksOf(store, phrase, sunday).at(-1)!);
  const positions = status.flatMap(({ position }) => position ?? []);
  const moves = phrases[store].flatMap(
    (phrase) => moveOf(facts, store, phrase, { monday, sunday }) ?? [],
  );
  const checked = phrases[store].flatMap((phrase) =>
    checksOf(store, phrase, sunday).filter(({ date }) => date >= dayOf(monday)),
  );
  const written = reviewsOf(store).filter(({ at }) => isWithin(at, monday, sunday));
  const open = expectedActions(facts).filter(({ appId, opened, gone = Infinity, ended }) => {
    const day = sunday + 1;
    return (
      appId === facts.appIds[store] && opened <= day && gone > day && !(ended && ended.day < day)
    );
  });
  return {
    appId: facts.appIds[store],
    store,
    name: facts.nameOf(own[store], sunday + 1),
    keywords: status.length,
    ranked: positions.length,
    notFound: status.length - positions.length,
    notChecked: 0,
    top3: positions.filter((position) => position <= 3).length,
    top10: positions.filter((position) => position <= 10).length,
    averagePosition: round(
      positions.reduce((sum, position) => sum + position, 0) / positions.length,
      2,
    ),
    improved: moves.filter(({ weight }) => weight > 0).length,
    dropped: moves.filter(({ weight }) => weight < 0).length,
    coverage: round(checked.length / (7 * phrases[store].length), 4),
    gained: pick(moves.filter(({ weight }) => weight > 0)),
    lost: pick(moves.filter(({ weight }) => weight < 0)),
    newReviews: written.length,
    negativeReviews: written.filter(({ rating }) => rating <= 2).length,
    metadataChanges: new Set(
      overrides
        .releases!.filter(
          ({ storeAppId, day, fields }) =>
            storeAppId === own[store].storeAppId &&
            fields.rating === undefined &&
            isWithin(day, Math.max(monday, 1), sunday),
        )
        .map(({ day }) => day),
    ).size,
    openActions: open.length,
  };
}

/** From the week's first day, or a check shortly before it, to its end. */
function moveOf(
  facts: AnnsFacts,
  store: StoreName,
  phrase: string,
  { monday, sunday }: { monday: number; sunday: number },
) {
  const [from, to] = [
    checksOf(store, phrase, monday).at(-1)!,
    checksOf(store, phrase, sunday).at(-1)!,
  ];
  const weight = (from.position ?? from.depth + 1) - (to.position ?? to.depth + 1);
  const gained = from.position === null || to.position === null ? null : weight;
  return weight === 0
    ? null
    : {
        weight,
        move: {
          keywordId: facts.keywordId(store, phrase),
          phrase,
          country,
          from,
          to,
          positionsGained: gained,
        },
      };
}

const pick = (moves: { weight: number; move: object }[]) =>
  moves.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).map(({ move }) => move);

/** Each as it was at the end; those from before Ann joined are not counted. */
function reviewsOf(store: StoreName): { at: string; rating: number }[] {
  const mine = overrides.reviews!.filter(
    (review) => review.store === store && review.at >= dayOf(0),
  );
  return [...new Map(mine.map((review) => [review.storeReviewId ?? review.at, review])).values()];
}

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;
