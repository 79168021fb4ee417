import { listMissingWords, wordFinder } from '../../keyword-field/words.ts';
import { pickText } from '../app-texts.ts';
import type { AppFacts, KeywordFacts, TextFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding, type Judgement } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { quote, tellCountry } from '../wording.ts';

const type = 'missing-keyword';
const rule = thresholds[type];

/** Much is to be won with a keyword, and no text that the store looks into holds all its words; function words are not asked for. */
export const missingKeyword: AppRule = {
  type,
  scope: 'app',
  judge: (facts: AppFacts): Judgement => {
    const judged = facts.keywords.map((keyword) => ({
      keyword,
      verdict: judgeKeyword(facts, keyword),
    }));
    return {
      findings: judged.flatMap(({ verdict }) =>
        verdict === 'unknown' || verdict === 'fine' ? [] : [verdict],
      ),
      undecided: judged
        .filter(({ verdict }) => verdict === 'unknown')
        .map(({ keyword }) => keyOf(type, facts.app.id, keyword.id)),
    };
  },
};

function judgeKeyword(facts: AppFacts, keyword: KeywordFacts): Finding | 'fine' | 'unknown' {
  const { id, phrase, country, opportunity, traffic, difficulty, latest } = keyword;
  const text = pickText(facts, country);
  if (opportunity === null || latest === null || text === null) return 'unknown';
  if (opportunity < rule.minOpportunity) return 'fine';
  const holds = wordFinder(searchedTexts(facts, text).join('\n'));
  const missing = listMissingWords(phrase, holds);
  if (missing.length === 0) return 'fine';
  if (facts.app.store === 'ios' && !text.isSubtitleKnown) return 'unknown';
  return {
    key: keyOf(type, facts.app.id, id),
    fingerprint: missing.toSorted().join(' '),
    severity: opportunity >= rule.highOpportunity ? 'high' : 'medium',
    title: `${quote(phrase)} (${tellCountry(country)}) is worth ${opportunity} of 100 and is not in your texts`,
    reason: `${missing.map(quote).join(', ')}: ${missing.length === 1 ? 'this word stands' : 'these words stand'} in none of ${tellTexts(facts)}. Its traffic is ${traffic}, its difficulty ${difficulty}. Bring the missing words in where they fit.`,
    evidence: {
      phrase,
      country,
      missing,
      opportunity,
      traffic,
      difficulty,
      latest,
      ...tellSources(facts, text),
    },
    keywordIds: [id],
    weight: opportunity,
  };
}

/** What each store is known to look for words in. Locales are not told apart: a word in any saved field counts. */
function searchedTexts({ app, fields }: AppFacts, text: TextFacts): string[] {
  const shown = [text.name, text.developer ?? ''];
  if (app.store === 'ios')
    return [...shown, text.subtitle ?? '', ...fields.map((field) => field.normalized)];
  return [...shown, text.summary ?? '', text.description ?? ''];
}

function tellTexts({ app, fields }: AppFacts): string {
  if (app.store === 'android') return 'title, short description and description';
  return fields.length > 0
    ? 'title, subtitle and saved keyword fields'
    : 'title and subtitle; the keyword field is not saved here, so it is not known';
}

function tellSources({ app, fields }: AppFacts, text: TextFacts): Record<string, unknown> {
  const common = { title: text.name, textsOf: text.country, textsReadOn: text.readOn };
  if (app.store === 'android') return { ...common, summary: text.summary };
  return {
    ...common,
    subtitle: text.subtitle,
    keywordFields: fields.length > 0 ? fields.map((field) => field.normalized) : null,
  };
}
