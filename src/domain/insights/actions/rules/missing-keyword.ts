import { listingTexts, profileOf, type ListingText, type StoreName } from '#domain/base/ports.ts';
import { listMissingWords, wordFinder } from '#lib/phrase-words.ts';
import { pickText } from '../app-texts.ts';
import type { AppFacts, KeywordFacts, TextFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding, type RuleResult } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { quote, formatCountryAndDevice } from '../format-text.ts';

const type = 'missing-keyword';
const rule = thresholds[type];

/**
 * A keyword with a high opportunity whose words are not all in the indexed texts; function words
 * are ignored.
 */
export const missingKeyword: AppRule = {
  type,
  scope: 'app',
  evaluate: (facts: AppFacts): RuleResult => {
    const evaluated = facts.keywords.map((keyword) => ({
      keyword,
      verdict: evaluateKeyword(facts, keyword),
    }));
    return {
      findings: evaluated.flatMap(({ verdict }) =>
        verdict === 'unknown' || verdict === 'fine' ? [] : [verdict],
      ),
      undecided: evaluated
        .filter(({ verdict }) => verdict === 'unknown')
        .map(({ keyword }) => keyOf(type, facts.app.id, keyword.id)),
    };
  },
};

function evaluateKeyword(facts: AppFacts, keyword: KeywordFacts): Finding | 'fine' | 'unknown' {
  const { id, phrase, country, device, opportunity, traffic, difficulty, latest } = keyword;
  const text = pickText(facts, country);
  if (opportunity === null || latest === null || text === null) return 'unknown';
  if (opportunity < rule.minOpportunity) return 'fine';
  const holds = wordFinder(searchedTexts(facts, text).join('\n'));
  const missing = listMissingWords(phrase, holds);
  if (missing.length === 0) return 'fine';
  const isSubtitleSearched = profileOf(facts.app.store).texts.subtitle?.isSearched === true;
  if (isSubtitleSearched && !text.isSubtitleKnown) return 'unknown';
  return {
    key: keyOf(type, facts.app.id, id),
    fingerprint: missing.toSorted().join(' '),
    severity: opportunity >= rule.highOpportunity ? 'high' : 'medium',
    title:
      `${quote(phrase)} (${formatCountryAndDevice(keyword)}) has an opportunity of ` +
      `${opportunity} and is missing from your metadata`,
    reason:
      `${missing.map(quote).join(', ')}: ` +
      `${missing.length === 1 ? 'this word is' : 'these words are'} missing from ` +
      `${formatTexts(facts)}. The phrase has a traffic score of ${traffic} and a difficulty ` +
      `of ${difficulty}. ${formatAdvice(latest.position)}`,
    evidence: {
      phrase,
      country,
      device,
      missing,
      opportunity,
      traffic,
      difficulty,
      latest,
      ...sourceEvidence(facts, text),
    },
    keywordIds: [id],
    weight: opportunity,
  };
}

/** An app may rank without a word in its texts: the store knows more than we can read. */
const formatAdvice = (position: number | null): string =>
  position === null
    ? 'Add the missing words to your metadata.'
    : `Your app ranks at ${position} without them. Adding them to your metadata may improve the ` +
      'position.';

/**
 * The texts that the app's store is known to index. Locales are not distinguished: a word in any
 * saved field counts.
 */
function searchedTexts({ app, fields }: AppFacts, text: TextFacts): string[] {
  const values: Record<ListingText, string[]> = {
    title: [text.name, text.developer ?? ''],
    subtitle: [text.subtitle ?? ''],
    summary: [text.summary ?? ''],
    description: [text.description ?? ''],
    keywordField: fields.map((field) => field.normalized),
  };
  return listSearched(app.store).flatMap((name) => values[name]);
}

const listSearched = (store: StoreName): ListingText[] =>
  listingTexts.filter((name) => profileOf(store).texts[name]?.isSearched);

const textNames: Record<ListingText, string> = {
  title: 'the title',
  subtitle: 'the subtitle',
  summary: 'the short description',
  description: 'the description',
  keywordField: 'the saved keyword fields',
};

function formatTexts({ app, fields }: AppFacts): string {
  const searched = listSearched(app.store);
  const isUnsaved = searched.includes('keywordField') && fields.length === 0;
  const named = searched.filter((name) => !isUnsaved || name !== 'keywordField');
  const list = listFormat.format(named.map((name) => textNames[name]));
  return isUnsaved ? `${list} (no keyword field is saved here)` : list;
}

const listFormat = new Intl.ListFormat('en', { type: 'conjunction' });

function sourceEvidence({ app, fields }: AppFacts, text: TextFacts): Record<string, unknown> {
  const { subtitle, summary, keywordField } = profileOf(app.store).texts;
  return {
    title: text.name,
    textsOf: text.country,
    textsReadOn: text.readOn,
    searchedTexts: listSearched(app.store),
    ...(subtitle && { subtitle: text.subtitle }),
    ...(summary && { summary: text.summary }),
    ...(keywordField && {
      keywordFields: fields.length > 0 ? fields.map((field) => field.normalized) : null,
      keywordFieldLocales: fields.map((field) => field.locale),
    }),
  };
}
