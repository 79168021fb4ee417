import { countCharacters } from '../../../lib/text.ts';
import { maxFieldCharacters } from '../../keyword-field/field-text.ts';
import {
  countWasted,
  isWasted,
  judgeWords,
  type JudgedWord,
} from '../../keyword-field/judge-words.ts';
import { pickText } from '../app-texts.ts';
import type { AppFacts, FieldFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { count, quote } from '../wording.ts';

const type = 'keyword-field-waste';
const rule = thresholds[type];

/** A saved keyword field with words that add nothing, or with room that nothing uses. A field that was never saved is not known. */
export const keywordFieldWaste: AppRule = {
  type,
  scope: 'app',
  judge: (facts: AppFacts) => ({
    findings: facts.fields.flatMap((field) => judgeField(facts, field) ?? []),
    // Without the listing, words that the title holds already cannot be told.
    undecided: pickText(facts, facts.app.primaryCountry) ? [] : [keyOf(type, facts.app.id)],
  }),
};

function judgeField(facts: AppFacts, { locale, normalized, savedOn }: FieldFacts): Finding | null {
  const text = pickText(facts, facts.app.primaryCountry);
  const followed = facts.keywords.map((keyword) => ({
    ...keyword,
    latestPosition: keyword.latest?.position ?? null,
  }));
  const words = judgeWords(normalized, text, followed);
  const [wasted, unused] = [
    countWasted(normalized, words),
    maxFieldCharacters - countCharacters(normalized),
  ];
  if (wasted < rule.minWastedCharacters && unused < rule.minUnusedCharacters) return null;
  const wastedWords = words
    .filter(isWasted)
    .map((word) => ({ word: word.term, because: tellWhy(word) }));
  const parts = [
    ...(wasted > 0
      ? [
          `${count(wasted, 'character')} go to words that add nothing: ${wastedWords
            .slice(0, 10)
            .map(({ word }) => quote(word))
            .join(', ')}`,
        ]
      : []),
    ...(unused > 0 ? [`${count(unused, 'character')} of ${maxFieldCharacters} are not used`] : []),
  ];
  return {
    key: keyOf(type, facts.app.id, locale),
    fingerprint: `${normalized} ${wastedWords.map(({ word, because }) => `${word}=${because}`).join(' ')}`,
    severity: wasted + unused >= rule.mediumCharacters ? 'medium' : 'low',
    title: `The keyword field${locale === 'default' ? '' : ` (${locale})`} leaves ${count(wasted + unused, 'character')} to better words`,
    reason: `${parts.join('; ')}. GET /apps/${facts.app.id}/keyword-field/analysis suggests words that fit.`,
    evidence: {
      locale,
      normalized,
      savedOn,
      wastedCharacters: wasted,
      unusedCharacters: unused,
      limit: maxFieldCharacters,
      wastedWords,
      title: text?.name ?? null,
      subtitle: text?.subtitle ?? null,
    },
    keywordIds: [],
    weight: wasted + unused,
  };
}

function tellWhy(word: JudgedWord): string {
  if (word.inTitle) return 'in the title';
  if (word.inSubtitle) return 'in the subtitle';
  if (word.duplicate) return 'twice in the field';
  if (word.plural) return 'differs only by its plural';
  return word.brand ? 'the brand' : 'a stop word';
}
