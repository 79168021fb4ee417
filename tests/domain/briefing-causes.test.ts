import { expect, test } from 'vitest';
import { findCause, type Move } from '#domain/insights/briefing/find-cause.ts';
import { isReranked, measureShift } from '#domain/insights/briefing/result-shift.ts';

const own = 1_000;
const results = (listingIds: number[], { provider = 'itunes', known = 50 } = {}) => ({
  listingIds,
  provider,
  knownPositions: known,
});
const others = Array.from({ length: 50 }, (_, at) => at + 1);
/** The results with the app at a position, 1-based. */
const withOwnAt = (position: number, ids = others) =>
  results([...ids.slice(0, position - 1), own, ...ids.slice(position - 1)].slice(0, 50));
const move = (from: number | null, to: number | null, given: Partial<Move> = {}): Move => ({
  phrase: 'habit tracker',
  country: 'us',
  listingId: own,
  from: { date: '2026-11-20', position: from, depth: 200 },
  to: { date: '2026-11-21', position: to, depth: 200 },
  before: from === null ? null : withOwnAt(from),
  after: to === null ? null : withOwnAt(to),
  ...given,
});
const calm = { changes: [], isReranked: false };

test('apps that were in the results before are no entrants', () => {
  expect(findCause(move(10, 20), calm)).toBeNull();
});

test('an app from just below the known results is no entrant, one from far away is', () => {
  const newcomers = (ids: number[]) =>
    withOwnAt(20 + ids.length, [...others.slice(0, 19), ...ids, ...others.slice(19)]);
  const arrived = move(20, 23, { after: newcomers([901, 902, 903]) });
  expect(findCause(arrived, calm)).toMatchObject({ kind: 'entrants', explained: 3 });
  const shallow = { ...arrived, before: { ...withOwnAt(20), knownPositions: 30 } };
  expect(findCause(shallow, calm)).toBeNull();
});

test('entrants that explain less than half of a fall are not its cause', () => {
  const after = withOwnAt(30, [901, ...others]);
  expect(findCause(move(10, 30, { after }), calm)).toBeNull();
});

test('results of two providers are not compared', () => {
  const after = { ...withOwnAt(23, [...others.slice(0, 19), 901, 902, 903]), provider: 'web' };
  expect(findCause(move(20, 23, { after }), calm)).toBeNull();
  expect(measureShift(withOwnAt(20), after)).toBeNull();
});

test('a lost word explains a fall and no rise, and a fall out of the results', () => {
  const lost = {
    listingId: own,
    country: 'us',
    detectedOn: '2026-11-21',
    change: { id: 7, field: 'name' as const },
    gained: () => [],
    lost: () => ['habit'],
  };
  const known = { changes: [lost], isReranked: false };
  expect(findCause(move(10, 30), known)).toMatchObject({ kind: 'own_change', words: ['habit'] });
  expect(findCause(move(10, null), known)?.kind).toBe('own_change');
  expect(findCause(move(30, 10), known)).toBeNull();
  expect(findCause(move(10, 30), { ...known, changes: [{ ...lost, country: 'de' }] })).toBeNull();
});

test('a few restless markets are no reranking, and neither is usual movement', () => {
  const restless = { shift: 0.4, usual: 0.1 };
  const calmMarket = { shift: 0.05, usual: 0.05 };
  expect(isReranked([restless, restless, calmMarket, calmMarket, calmMarket])).toBe(false);
  expect(isReranked(Array(6).fill({ shift: 0.4, usual: 0.3 }))).toBe(false);
  expect(isReranked(Array(4).fill(restless))).toBe(false);
  expect(isReranked(Array(5).fill(restless))).toBe(true);
});
