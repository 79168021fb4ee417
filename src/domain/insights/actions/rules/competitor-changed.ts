import { listWords } from '#lib/phrase-words.ts';
import type { AppFacts, CompetitorChangeFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { quote, shorten, formatCountry } from '../format-text.ts';

const type = 'competitor-changed';
const named: Record<string, string> = {
  name: 'title',
  summary: 'short description',
  iconUrl: 'icon',
  screenshotUrls: 'screenshots',
};
/** Texts that stores index and that users see first. */
const words = new Set(['name', 'subtitle', 'summary']);

/**
 * A competitor changed the texts that users see first; one finding per competitor and day. Facts of
 * two weeks are included, after which they are no news.
 */
export const competitorChanged: AppRule = {
  type,
  scope: 'app',
  evaluate: (facts: AppFacts) => ({
    findings: [
      ...Map.groupBy(facts.competitorChanges, (change) =>
        keyOf(type, facts.app.id, change.competitorId, change.detectedOn),
      ),
    ].map(([key, changes]) => toFinding(facts, key, changes)),
    undecided: facts.hasUnreadChanges ? [keyOf(type, facts.app.id)] : [],
  }),
};

function toFinding({ keywords }: AppFacts, key: string, changes: CompetitorChangeFacts[]): Finding {
  const { name, competitorId, detectedOn } = changes[0]!;
  const fields = [...new Set(changes.map((change) => change.field))].toSorted();
  const countries = [...new Set(changes.map((change) => change.country))].toSorted();
  const gained = [
    ...new Set(
      changes
        .filter(({ field }) => words.has(field))
        .flatMap(({ before, after }) => newWords(before, after)),
    ),
  ].toSorted();
  const touched = keywords.filter(
    ({ phrase, country }) =>
      countries.includes(country) && phrase.split(' ').some((word) => gained.includes(word)),
  );
  const isText = fields.some((field) => words.has(field));
  return {
    key,
    fingerprint: `${fields.join(' ')} ${gained.join(' ')}`,
    severity: isText ? 'medium' : 'low',
    title:
      `${shorten(name, 60)} changed its ` +
      `${fields.map((field) => named[field] ?? field).join(', ')}`,
    reason:
      `Detected on ${detectedOn} in ${countries.slice(0, 5).map(formatCountry).join(', ')}. ` +
      `${formatWords(gained, touched.length)}`,
    evidence: {
      competitorId,
      competitor: shorten(name, 60),
      detectedOn,
      changes: changes.slice(0, 20).map(({ country, field, before, after }) => ({
        country,
        field,
        before: cut(before),
        after: cut(after),
      })),
      changesInAll: changes.length,
      countries,
      wordsGained: gained.slice(0, 50),
      keywordsTouched: touched.length,
    },
    keywordIds: touched.slice(0, 50).map((keyword) => keyword.id),
    weight: (isText ? 1_000 : 0) + fields.length,
  };
}

function formatWords(gained: readonly string[], touched: number): string {
  if (gained.length === 0) return 'Consider whether the change would suit your listing too.';
  const list = gained.slice(0, 10).map(quote).join(', ');
  return (
    `New words: ${list}. ` +
    `${
      touched > 0
        ? `${touched} of your keywords contain one of them. Watch their positions.`
        : 'None of your keywords contains any of them.'
    }`
  );
}

function newWords(before: unknown, after: unknown): string[] {
  const old = new Set(typeof before === 'string' ? listWords(before) : []);
  return typeof after === 'string' ? listWords(after).filter((word) => !old.has(word)) : [];
}

/** Long texts are in GET /changes. */
const cut = (value: unknown): unknown => (typeof value === 'string' ? shorten(value, 200) : value);
