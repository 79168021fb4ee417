import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AppFacts } from '#domain/insights/actions/facts.ts';
import { evaluateAppRules } from '#domain/insights/actions/generate-actions.ts';
import {
  fingerprintOf,
  reconcile,
  type KnownAction,
  type Plan,
  type TypedFinding,
} from '#domain/insights/actions/reconcile.ts';
import { maxOpenPerType, reopenWindowDays } from '#domain/insights/actions/thresholds.ts';
import { addDays } from '#lib/dates.ts';
import { factsOf, lowReviews, ratingsOf, today } from './actions.fixtures.ts';

const now = new Date('2026-11-21T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

function found(subject: string | number, given: Partial<TypedFinding> = {}): TypedFinding {
  return {
    type: 'rank-drop',
    appId: 7,
    key: `rank-drop:7:${subject}`,
    fingerprint: 'top 10>top 50',
    severity: 'medium',
    title: 'fell',
    reason: 'It fell.',
    evidence: {},
    keywordIds: [],
    weight: 1,
    ...given,
  };
}

function known(subject: string | number, given: Partial<KnownAction> = {}): KnownAction {
  const finding = found(subject);
  return {
    id: 1,
    type: 'rank-drop',
    appId: 7,
    key: finding.key,
    fingerprint: fingerprintOf(finding),
    evidence: {},
    status: 'open',
    seenAt: daysAgo(1),
    resolvedBy: null,
    ...given,
  };
}

const summary = (plan: Plan) => ({
  open: plan.open.map((finding) => finding.key),
  reopen: plan.reopen.map(({ id }) => id),
  refresh: plan.refresh.map(({ id }) => id),
  seen: plan.seen,
  gone: plan.gone,
});
const nothing = { open: [], reopen: [], refresh: [], seen: [], gone: [] };
const other = fingerprintOf({ fingerprint: 'something else' });
const by = (who: string, given: Partial<KnownAction> = {}) =>
  known(1, { status: 'resolved', resolvedBy: who, ...given });

test.each<[string, KnownAction[], TypedFinding[], Partial<typeof nothing>]>([
  ['a new finding opens', [], [found(1)], { open: ['rank-drop:7:1'] as never }],
  [
    'an open action is updated, whatever its evidence is',
    [known(1, { fingerprint: other })],
    [found(1)],
    { refresh: [1] as never },
  ],
  [
    'so is a snoozed action',
    [known(1, { status: 'snoozed' })],
    [found(1)],
    { refresh: [1] as never },
  ],
  ['an open action without a finding is resolved', [known(1)], [], { gone: [1] as never }],
  ['so is a snoozed action', [known(1, { status: 'snoozed' })], [], { gone: [1] as never }],
  [
    'a closed action without a finding stays closed',
    [by('user:3'), known(2, { id: 2, status: 'dismissed', resolvedBy: 'user:3' })],
    [],
    {},
  ],
  [
    'dismissed stays dismissed while its evidence is the same',
    [known(1, { status: 'dismissed', resolvedBy: 'user:3' })],
    [found(1)],
    { seen: [1] as never },
  ],
  [
    'even after a year',
    [known(1, { status: 'dismissed', resolvedBy: 'user:3', seenAt: daysAgo(365) })],
    [found(1)],
    { seen: [1] as never },
  ],
  [
    'other evidence opens a new one',
    [known(1, { status: 'dismissed', resolvedBy: 'user:3', fingerprint: other })],
    [found(1)],
    { open: ['rank-drop:7:1'] as never },
  ],
  [
    'resolved by a person stays resolved while it is found',
    [by('user:3')],
    [found(1)],
    { seen: [1] as never },
  ],
  [
    'and opens again after a long absence',
    [by('user:3', { seenAt: daysAgo(reopenWindowDays) })],
    [found(1)],
    { open: ['rank-drop:7:1'] as never },
  ],
  [
    'or with other evidence',
    [by('user:3', { fingerprint: other })],
    [found(1)],
    { open: ['rank-drop:7:1'] as never },
  ],
  [
    'absent for only a day: reopened without an event',
    [by('gone')],
    [found(1)],
    { reopen: [1] as never },
  ],
  [
    'absent for long: opened with an event',
    [by('gone', { seenAt: daysAgo(reopenWindowDays) })],
    [found(1)],
    { open: ['rank-drop:7:1'] as never },
  ],
  [
    'a dismissed evidence stays away after another one was dismissed',
    [
      known(1, { id: 2, status: 'dismissed', resolvedBy: 'user:3', fingerprint: other }),
      known(1, { status: 'dismissed', resolvedBy: 'user:3', seenAt: daysAgo(90) }),
    ],
    [found(1)],
    { seen: [1] as never },
  ],
  [
    'a resolved evidence stays away after another one was dismissed',
    [
      known(1, { id: 2, status: 'dismissed', resolvedBy: 'user:3', fingerprint: other }),
      by('user:3'),
    ],
    [found(1)],
    { seen: [1] as never },
  ],
  [
    'a dismissed evidence stays away after it was gone in a later action',
    [by('gone', { id: 2 }), known(1, { status: 'dismissed', resolvedBy: 'user:3' })],
    [found(1)],
    { seen: [1] as never },
  ],
  [
    'the newest of two absent actions reopens',
    [by('gone', { id: 2 }), by('gone')],
    [found(1)],
    { reopen: [2] as never },
  ],
  [
    'an older action that was reopened is updated, although a later one was dismissed',
    [known(1, { id: 2, status: 'dismissed', resolvedBy: 'user:3' }), known(1)],
    [found(1)],
    { refresh: [1] as never },
  ],
  [
    'the same key found twice opens once',
    [],
    [found(1), found(1)],
    { open: ['rank-drop:7:1'] as never },
  ],
])('%s', (_, actions, findings, expected) => {
  expect(summary(reconcile(actions, { findings, undecided: [] }, now))).toEqual({
    ...nothing,
    ...expected,
  });
});

describe('news compared with a closed action:', () => {
  const themeOf = (reviews: number) =>
    factsOf({ reviews: lowReviews(Array.from({ length: reviews }, () => 'widget')) });
  const fellTo = (before: number, rating: number, newest = today) =>
    factsOf({ ratings: ratingsOf(before, rating, { newest }), today: newest });
  const dayAfter = addDays(today, 1);
  const findOne = (facts: AppFacts) => {
    const { findings } = evaluateAppRules(facts);
    expect(findings).toHaveLength(1);
    return findings[0]!;
  };
  const closed = (finding: TypedFinding, given: Partial<KnownAction> = {}): KnownAction => ({
    ...known(1),
    ...finding,
    fingerprint: fingerprintOf(finding),
    status: 'dismissed',
    resolvedBy: 'user:3',
    ...given,
  });

  test.each<[string, AppFacts, AppFacts, boolean]>([
    ['a theme in fewer reviews is none', themeOf(4), themeOf(3), false],
    ['a theme in almost twice as many is none', themeOf(4), themeOf(7), false],
    ['nor over a power of two', themeOf(7), themeOf(13), false],
    ['a theme in twice as many is', themeOf(4), themeOf(8), true],
    ['the rest of a slide is none', fellTo(4.6, 4.3), fellTo(4.5, 4.3), false],
    ['a rating 0.1 lower is none', fellTo(4.6, 4.4), fellTo(4.6, 4.3), false],
    ['a rating lower by more is', fellTo(4.6, 4.4), fellTo(4.6, 4.29), true],
    ['a fall after it rose is', fellTo(4.6, 4.3), fellTo(4.7, 4.4, addDays(today, 31)), true],
    ['a later fall by the same is', fellTo(4.6, 4.3), fellTo(4.6, 4.3, addDays(today, 180)), true],
    ['the same fall a day later is none', fellTo(4.6, 4.3), fellTo(4.6, 4.3, dayAfter), false],
  ])('%s', (_, before, after, isNews) => {
    const finding = findOne(after);
    const plan = summary(
      reconcile([closed(findOne(before))], { findings: [finding], undecided: [] }, now),
    );
    expect(plan).toEqual({ ...nothing, ...(isNews ? { open: [finding.key] } : { seen: [1] }) });
  });

  test('weaker evidence reopens an action that was gone for only a day', () => {
    const action = closed(findOne(themeOf(4)), { status: 'resolved', resolvedBy: 'gone' });
    const found3 = { findings: [findOne(themeOf(3))], undecided: [] };
    expect(summary(reconcile([action], found3, now)).reopen).toEqual([1]);
  });

  test.each([[null], ['soon'], [{}], [{ reviews: '4', now: [], before: 7 }]])(
    'evidence of %j differs by its fingerprint alone',
    (evidence) => {
      for (const [before, after] of [
        [themeOf(4), themeOf(3)],
        [fellTo(4.6, 4.3), fellTo(4.5, 4.3)],
      ] as const) {
        const action = closed(findOne(before), { evidence });
        const plan = reconcile([action], { findings: [findOne(after)], undecided: [] }, now);
        expect(plan.open).toHaveLength(1);
        const same = reconcile([action], { findings: [findOne(before)], undecided: [] }, now);
        expect(same.seen).toEqual([1]);
      }
    },
  );
});

describe('the same texts in other countries', () => {
  const title = (country: string, countries: string[], given: Partial<TypedFinding> = {}) =>
    found(country, {
      type: 'unused-title',
      key: `unused-title:7:${country}`,
      fingerprint: 'title=Lumen',
      evidence: { countries },
      ...given,
    });
  const stored = (finding: TypedFinding, given: Partial<KnownAction> = {}): KnownAction => ({
    ...known(1),
    ...finding,
    fingerprint: fingerprintOf(finding),
    ...given,
  });
  const closed = (who: string): Partial<KnownAction> => ({
    status: who === 'gone' ? 'resolved' : 'dismissed',
    resolvedBy: who,
  });
  const fr = title('fr', ['fr']);
  const both = title('de', ['de', 'fr']);
  const de = title('de', ['de']);
  const longer = title('de', ['de'], { fingerprint: 'title=Lumen: Ziele' });

  test.each<[string, KnownAction[], TypedFinding[], Partial<typeof nothing>]>([
    ['a country is added', [stored(fr)], [both], { refresh: [1] as never }],
    ['one is added when dismissed', [stored(fr, closed('user:3'))], [both], { seen: [1] as never }],
    [
      'one is removed when dismissed',
      [stored(both, closed('user:3'))],
      [fr],
      { seen: [1] as never },
    ],
    ['one is added when absent', [stored(fr, closed('gone'))], [both], { reopen: [1] as never }],
    [
      'one gets other texts when dismissed',
      [stored(both, closed('user:3'))],
      [longer, fr],
      { open: [longer.key] as never, seen: [1] as never },
    ],
    [
      'one gets other texts when open',
      [stored(both)],
      [longer, fr],
      { open: [fr.key] as never, refresh: [1] as never },
    ],
    [
      'an absent action reopens for one of two',
      [stored(title('at', ['at', 'de', 'fr']), closed('gone'))],
      [de, fr],
      { open: [fr.key] as never, reopen: [1] as never },
    ],
    [
      'a country of its own is another action',
      [stored(fr, closed('user:3'))],
      [de],
      { open: [de.key] as never },
    ],
    [
      'another app has its own action',
      [stored(fr, { ...closed('user:3'), appId: 8 })],
      [both],
      { open: [both.key] as never },
    ],
    [
      'unreadable evidence is that of another one',
      [stored(fr, { ...closed('user:3'), evidence: null })],
      [both],
      { open: [both.key] as never },
    ],
  ])('%s', (_, actions, findings, expected) => {
    expect(summary(reconcile(actions, { findings, undecided: [] }, now))).toEqual({
      ...nothing,
      ...expected,
    });
  });
});

describe('undecided actions', () => {
  test.each([
    ['rank-drop:7:1', []],
    ['rank-drop:7', []],
    ['rank-drop:7:11', [1]],
    ['rank-drop:7:', [1]],
  ])('%s', (undecided, gone) => {
    expect(reconcile([known(1)], { findings: [], undecided: [undecided] }, now).gone).toEqual(gone);
  });
});

test('open actions per type and app are limited; existing ones stay, then by weight', () => {
  const many = Array.from({ length: 30 }, (_, index) => found(index, { weight: index }));
  const plan = reconcile([], { findings: many, undecided: [] }, now);
  expect(plan.open.map((finding) => finding.weight)).toEqual(
    Array.from({ length: maxOpenPerType }, (_, index) => 29 - index),
  );
  const light = reconcile([known(0)], { findings: many, undecided: [] }, now);
  expect([light.refresh.length, light.open.length]).toEqual([1, maxOpenPerType - 1]);
  const elsewhere = reconcile(
    [known('x', { appId: 8, key: 'rank-drop:8:1' })],
    { findings: many, undecided: ['rank-drop:8'] },
    now,
  );
  expect(elsewhere.open.length).toBe(maxOpenPerType);
});

test('the most severe findings open first, whatever their weight', () => {
  const findings = (['low', 'medium', 'high'] as const).flatMap((severity, index) =>
    Array.from({ length: 15 }, (_, number) =>
      found(`${severity} ${number}`, { severity, weight: 1_000 - 100 * index }),
    ),
  );
  const { open } = reconcile([], { findings, undecided: [] }, now);
  const severities = open.map(({ severity }) => severity);
  expect(severities).toEqual([...Array(15).fill('high'), ...Array(5).fill('medium')]);
});

test('snoozed actions do not count towards the limit', () => {
  const many = Array.from({ length: 30 }, (_, index) => found(index));
  const snoozed = many
    .slice(0, maxOpenPerType)
    .map((_, index) => known(index, { id: index + 1, status: 'snoozed' }));
  const plan = reconcile(snoozed, { findings: many, undecided: [] }, now);
  expect([plan.refresh.length, plan.open.length]).toEqual([maxOpenPerType, 10]);
});

/** The effect of the query's statements on the rows. */
function apply(actions: readonly KnownAction[], plan: Plan, at: Date): KnownAction[] {
  const rows = new Map(actions.map((action) => [action.id, action]));
  for (const { id, finding } of [...plan.refresh, ...plan.reopen]) {
    const row = rows.get(id)!;
    const status = row.status === 'snoozed' ? ('snoozed' as const) : ('open' as const);
    rows.set(id, {
      ...row,
      fingerprint: fingerprintOf(finding),
      evidence: finding.evidence,
      seenAt: at,
      status,
      resolvedBy: null,
    });
  }
  for (const id of plan.seen) rows.set(id, { ...rows.get(id)!, seenAt: at });
  for (const id of plan.gone)
    rows.set(id, { ...rows.get(id)!, status: 'resolved', resolvedBy: 'gone' });
  const next = Math.max(0, ...rows.keys()) + 1;
  const opened = plan.open.map((finding, index) => {
    const { key, type, appId } = finding;
    return {
      id: next + index,
      key,
      type,
      appId,
      fingerprint: fingerprintOf(finding),
      evidence: finding.evidence,
      status: 'open' as const,
      seenAt: at,
      resolvedBy: null,
    };
  });
  return [...rows.values(), ...opened];
}

/** The query's result: newest first. */
const newestFirst = (actions: readonly KnownAction[]) => actions.toSorted((a, b) => b.id - a.id);

const findingOf = fc
  .record({
    subject: fc.integer({ min: 1, max: 40 }),
    fingerprint: fc.constantFrom('a', 'b'),
    weight: fc.integer({ min: 0, max: 5 }),
    appId: fc.constantFrom(7, 8),
  })
  .map(({ subject, appId, ...rest }) =>
    found(subject, { ...rest, appId, key: `rank-drop:${appId}:${subject}` }),
  );
const day = fc.record({
  findings: fc.array(findingOf, { maxLength: 60 }),
  undecided: fc.array(fc.constantFrom('rank-drop:7', 'rank-drop:8:3', 'rank-drop:8:1'), {
    maxLength: 2,
  }),
  days: fc.integer({ min: 0, max: 20 }),
  acts: fc.array(
    fc.record({
      at: fc.nat(80),
      status: fc.constantFrom('resolved' as const, 'dismissed' as const, 'snoozed' as const),
    }),
    {
      maxLength: 5,
    },
  ),
});

test('reconciling is idempotent, opens nothing dismissed or twice and keeps the limit', () => {
  fc.assert(
    fc.property(fc.array(day, { minLength: 1, maxLength: 8 }), (days) => {
      let actions: KnownAction[] = [];
      let at = now;
      for (const { findings, undecided, days: passed, acts } of days) {
        at = new Date(at.getTime() + passed * 86_400_000);
        const plan = reconcile(newestFirst(actions), { findings, undecided }, at);
        const dismissed = actions.filter((action) => action.status === 'dismissed');
        for (const finding of [...plan.open, ...plan.reopen.map((one) => one.finding)])
          expect(dismissed).not.toContainEqual(
            expect.objectContaining({ key: finding.key, fingerprint: fingerprintOf(finding) }),
          );
        actions = apply(actions, plan, at);
        const again = reconcile(newestFirst(actions), { findings, undecided }, at);
        expect([again.open, again.reopen, again.gone]).toEqual([[], [], []]);
        expect(apply(actions, again, at)).toEqual(actions);
        const live = actions.filter(
          (action) => action.status === 'open' || action.status === 'snoozed',
        );
        expect(new Set(live.map((action) => action.key)).size).toBe(live.length);
        const open = live.filter((action) => action.status === 'open');
        for (const ofApp of Map.groupBy(open, (action) => action.appId).values())
          expect(ofApp.length).toBeLessThanOrEqual(maxOpenPerType);
        for (const { at: index, status } of acts) {
          const target = live[index % Math.max(1, live.length)];
          if (target)
            actions = actions.map((row) =>
              row.id === target.id
                ? { ...row, status, resolvedBy: status === 'snoozed' ? null : 'user:3' }
                : row,
            );
        }
      }
    }),
    { numRuns: 300 },
  );
});
