import { readFileSync } from 'node:fs';
import i18next from 'i18next';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { actionTypes } from '#contract/choices.ts';
import { languages } from '#contract/languages.ts';
import type { AppFacts } from '#domain/insights/actions/facts.ts';
import {
  evaluateAppRules,
  evaluateWorkspaceRules,
} from '#domain/insights/actions/generate-actions.ts';
import type { TypedFinding } from '#domain/insights/actions/reconcile.ts';
import { factsOf, failingOf, keywordOf, textOf, webhookOf } from './actions.fixtures.ts';
import { field, evaluateCases, webhooksNow } from './actions-cases.fixtures.ts';
import { keepOrder } from '../harness/keep-order.ts';

keepOrder('the second test of a language looks at the sentences that the first one used');

type Reported = Pick<TypedFinding, 'type' | 'evidence' | 'reason'>;
type Say = (key: string, values?: object) => string;
/** The dashboard's formatting code, which has its own type configuration. */
interface Dashboard {
  formatReason: (action: Reported, t: Say) => string;
  formatCause: (because: string, t: Say) => string;
  formatDay: (day: string) => string;
  formatInstant: (instant: string) => string;
}

const web = '../../web/src/';
const textsOf = (language: string): object[] =>
  ['action-reasons', 'actions', 'events', 'kit'].map((noun) =>
    JSON.parse(
      readFileSync(new URL(`${web}locales/${language}/${noun}.json`, import.meta.url), 'utf8'),
    ),
  );

const android: AppFacts['app'] = { ...factsOf().app, store: 'android' };
const change = {
  competitorId: 12,
  name: 'Streaky',
  detectedOn: '2026-11-20',
  field: 'name',
  before: 'Streaky',
  after: 'Streaky habit',
};
const demand = {
  country: 'de',
  isPrimary: true,
  ratingCount: 1_200,
  phrases: ['a', 'b', 'c', 'd'].map((phrase) => ({ phrase, traffic: 50 })),
  phrasesInAll: 4,
  trafficInAll: 200,
};
const withWords = (keywords: AppFacts['keywords']) =>
  factsOf({
    keywords,
    competitorChanges: ['us', 'de', 'fr', 'gb', 'it', 'jp'].map((country) => ({
      ...change,
      country,
    })),
  });
/** Sentences that the cases of the rules do not produce. */
const more: AppFacts[] = [
  { ...factsOf({ keywords: [keywordOf()], texts: [textOf()] }), app: android },
  factsOf({
    keywords: [keywordOf({ difficulty: null })],
    texts: [textOf()],
    fields: [field('x'.repeat(90))],
  }),
  factsOf({ texts: [textOf()], fields: [field(`streaks,routines,${'x'.repeat(60)}`)] }),
  factsOf({ keywords: [keywordOf()], texts: [textOf({ name: 'Lumen', subtitle: null })] }),
  factsOf({
    keywords: [keywordOf({ latest: { date: '2026-11-21', position: null, depth: 200 } })],
    texts: [textOf()],
  }),
  withWords([]),
  withWords([keywordOf()]),
  factsOf({
    demand: [
      demand,
      {
        ...demand,
        country: 'fr',
        ratingCount: null,
        phrases: demand.phrases.slice(1),
        phrasesInAll: 3,
      },
    ],
  }),
  factsOf({ keywords: [keywordOf()], failing: [failingOf({ marker: null })] }),
];
const findings = [
  ...evaluateCases(),
  ...more.flatMap((facts) => evaluateAppRules(facts).findings),
  ...evaluateWorkspaceRules({
    now: webhooksNow,
    webhooks: [webhookOf({ disabledBy: 'failing', failingSince: null })],
  }).findings,
];

let dashboard: Dashboard;
beforeAll(async () => {
  vi.stubGlobal('addEventListener', () => undefined);
  dashboard = Object.assign(
    {},
    await import(`${web}pages/actions/reasons/format-reason.ts`),
    await import(`${web}pages/actions/evidence/format-cause.ts`),
    await import(`${web}format.ts`),
  ) as Dashboard;
  const resources = Object.fromEntries(
    languages.map((language) => [
      language,
      { translation: Object.assign({}, ...textsOf(language)) },
    ]),
  );
  await i18next.init({
    lng: 'en',
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    resources,
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

/**
 * Numbers, days, instants and quoted words of the API's sentences, as the page formats them, except
 * sentences that name a request.
 */
function listFacts(reason: string): string[] {
  const said = reason
    .split(/(?<=\.)\s+/)
    .filter((sentence) => !/(GET|POST) \//.test(sentence) || /“/.test(sentence));
  return [
    ...said.join(' ').matchAll(/“([^”]+)”|(\d{4}-\d{2}-\d{2}T[\d:.]+Z)|(\d{4}-\d{2}-\d{2})|\d+/g),
  ].map(([whole, quoted, instant, day]) => {
    if (quoted) return quoted;
    if (instant) return dashboard.formatInstant(instant);
    return day ? dashboard.formatDay(day) : Number(whole).toLocaleString(i18next.language);
  });
}

describe.each(languages)('the dashboard in %s', (language) => {
  const said = new Set<string>();
  const say: Say = (key, values) => {
    said.add(key);
    return (i18next.t as unknown as Say)(key, values);
  };
  beforeAll(() => i18next.changeLanguage(language));

  test('states every reason from the evidence alone, with all facts of the API’s text', () => {
    for (const { type, evidence, reason } of findings) {
      // Without the API's text there is no fallback.
      const text = dashboard.formatReason({ type, evidence, reason: '' }, say);
      expect(text, reason).toMatch(language === 'ja' ? /^\S[^]+。$/ : /^\S[^]+\.$/);
      expect(text, reason).not.toMatch(
        /\{\{|\}\}|undefined|null|NaN|actionReason|alerts\.|(?<!…)\.\./,
      );
      expect(
        listFacts(reason.replace('difficulty null', '')).filter((fact) => !text.includes(fact)),
        `${reason}\n${text}`,
      ).toEqual([]);
    }
    expect(new Set(findings.map(({ type }) => type))).toEqual(new Set(actionTypes));
  });

  test('uses each of its sentences', () => {
    const stems = Object.keys(textsOf(language)[0]!).map((key) => key.replace(/_(one|other)$/, ''));
    expect([...new Set(stems)].filter((stem) => !said.has(stem))).toEqual([]);
  });

  test('states why each word of a keyword field adds nothing', () => {
    const normalized = 'habits,streaks,streak,now,now,lumen,the';
    const [waste] = evaluateAppRules(
      factsOf({ texts: [textOf()], fields: [field(normalized)] }),
    ).findings.filter(({ type }) => type === 'keyword-field-waste');
    const causes = new Set(
      (waste!.evidence.wastedWords as { because: string }[]).map(({ because }) => because),
    );
    expect(causes.size).toBe(5);
    // A brand is the start of a title, which is named before it.
    causes.add('the brand');
    const texts = [...causes].map((because) =>
      dashboard.formatCause(because, i18next.t as unknown as Say),
    );
    expect(
      texts.filter((why) => why.startsWith('actions.') || causes.has(why) !== (language === 'en')),
    ).toEqual([]);
  });

  test('uses the API’s text, without requests, if the evidence lacks the fact', () => {
    const oddOf = (evidence: object) =>
      Object.fromEntries(Object.keys(evidence).map((name) => [name, 'soon']));
    for (const { type, evidence } of findings.flatMap((finding) => [
      { ...finding, evidence: {} },
      { ...finding, evidence: oddOf(finding.evidence) },
    ])) {
      const text = dashboard.formatReason(
        { type, evidence, reason: 'It fell. GET /runs shows more. Look again.' },
        say,
      );
      expect([type, text]).toEqual([type, 'It fell. Look again.']);
    }
  });
});

test('English uses the words of the API where they name no day and no request', async () => {
  await i18next.changeLanguage('en');
  const plain = ['rank-drop', 'striking-distance', 'missing-keyword', 'hopeless-keyword'];
  const some = evaluateCases().filter(({ type }) => plain.includes(type));
  expect(some.length).toBeGreaterThan(10);
  for (const { type, evidence, reason } of some)
    expect(
      dashboard.formatReason({ type, evidence, reason: '' }, i18next.t as unknown as Say),
    ).toBe(reason);
});
