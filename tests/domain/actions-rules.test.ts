import { describe, expect, test } from 'vitest';
import type { ActionType } from '#contract/actions.ts';
import { actionTypes } from '#contract/choices.ts';
import {
  evaluateAppRules,
  evaluateWorkspaceRules,
  type Found,
} from '#domain/insights/actions/generate-actions.ts';
import { rules } from '#domain/insights/actions/rules/index.ts';
import { addDays } from '#lib/dates.ts';
import { factsOf, keywordOf, textOf, today } from './actions.fixtures.ts';
import {
  cases,
  field,
  evaluateCases,
  steady,
  webhookCases,
  webhooksNow,
  type Case,
} from './actions-cases.fixtures.ts';

function pick(found: Found, type: ActionType): string {
  return found.findings
    .filter((finding) => finding.type === type)
    .map((finding) => finding.severity)
    .join(' ');
}

describe.each(Object.entries(cases) as [ActionType, Case[]][])('%s', (type, rows) => {
  test.each(rows)('$name: $finds', ({ facts, finds }) => {
    expect(pick(evaluateAppRules(facts), type)).toBe(finds);
  });
});

describe('webhook-failing', () => {
  test.each(webhookCases)('$name: $finds', ({ webhook, finds }) => {
    const found = evaluateWorkspaceRules({ now: webhooksNow, webhooks: [webhook] });
    expect(pick(found, 'webhook-failing')).toBe(finds);
    expect(found.findings.map((finding) => finding.appId)).toEqual(finds === '' ? [] : [null]);
  });
});

test('every type has a rule and a table of cases', () => {
  expect(rules.map((rule) => rule.type)).toEqual([...actionTypes]);
  expect([...Object.keys(cases), 'webhook-failing'].toSorted()).toEqual(
    [...actionTypes].toSorted(),
  );
});

const findings = evaluateCases();

test('findings have readable texts, fit into JSON and name their keywords', () => {
  for (const finding of findings) {
    expect(JSON.parse(JSON.stringify(finding.evidence))).toEqual(finding.evidence);
    expect(finding.title).toMatch(/^\S.{10,}[^.]$/);
    expect(finding.reason).toMatch(/^\S[^]*\.$/);
    expect(`${finding.title} ${finding.reason}`).not.toMatch(
      /undefined|null|NaN|Infinity|\[object| {2}/,
    );
    expect(finding.key.startsWith(`${finding.type}:${finding.appId ?? 0}:`)).toBe(true);
  }
});

test('unknown traffic is null in the evidence and mentioned in the reason', () => {
  const unknown = findings.filter((finding) => finding.evidence.traffic === null);
  expect(new Set(unknown.map((finding) => finding.type))).toEqual(
    new Set(['rank-drop', 'striking-distance', 'competitor-entered', 'keyword-gap']),
  );
  for (const finding of unknown)
    expect(finding.reason).toContain('The phrase has no traffic score yet.');
});

test('a country whose page was not read yet does not change an unused title', () => {
  const us = textOf({ country: 'us', name: 'Lumen', subtitle: null });
  const de = { ...us, country: 'de', isSubtitleKnown: false };
  const evaluate = (texts: (typeof us)[]) => {
    const facts = factsOf({ texts });
    facts.app.primaryCountry = 'jp';
    return evaluateAppRules(facts).findings.map(({ fingerprint }) => fingerprint);
  };
  expect(evaluate([us, de])).toEqual(evaluate([us]));
});

test('rules with unknown facts leave existing actions open', () => {
  const { undecided } = evaluateAppRules(
    factsOf({
      keywords: [keywordOf({ latest: null, checks: [] })],
      reviews: { readOn: addDays(today, -4), low: [], lowInAll: 0 },
      fields: [field('x'.repeat(90)), field('x'.repeat(90), 'de-DE')],
      hasUnreadChanges: true,
      unsearchedKeywordIds: [482],
    }),
  );
  expect(undecided.toSorted()).toEqual(
    [
      'competitor-changed:7',
      'competitor-entered:7:481',
      'competitor-entered:7:482',
      'hopeless-keyword:7:481',
      'keyword-field-waste:7:de-DE',
      'keyword-field-waste:7:default',
      'keyword-gap:7:481',
      'missing-keyword:7:481',
      'rank-drop:7:481',
      'rating-fell:7',
      'review-theme:7',
      'striking-distance:7:481',
      'unused-title:7',
    ].toSorted(),
  );
});

test('rules with too few checks leave existing actions open', () => {
  const types: ActionType[] = ['hopeless-keyword', 'rank-drop', 'striking-distance'];
  const undecidedOf = (positions: (number | null)[], difficulty = 90): ActionType[] => {
    const keywords = [keywordOf({ positions, difficulty })];
    const { undecided } = evaluateAppRules(factsOf({ keywords }));
    return types.filter((type) => undecided.includes(`${type}:7:481`));
  };
  // The first check after an outage, or the first one of another search provider.
  expect(undecidedOf([null])).toEqual(types);
  expect(undecidedOf(steady(null, 2))).toEqual(types);
  expect(undecidedOf(steady(null, 3))).toEqual(['hopeless-keyword', 'rank-drop']);
  expect(undecidedOf(steady(null, 8))).toEqual(['hopeless-keyword', 'rank-drop']);
  expect(undecidedOf(steady(null, 9))).toEqual(['hopeless-keyword']);
  expect(undecidedOf(steady(null, 20))).toEqual([]);
  // Found once, or with a low difficulty, it is not hopeless whatever the other checks show.
  expect(undecidedOf([190, ...steady(null, 18)])).toEqual([]);
  expect(undecidedOf(steady(null, 19), 69)).toEqual([]);
});
