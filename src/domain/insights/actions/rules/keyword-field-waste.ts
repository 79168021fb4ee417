import { countCharacters } from '#lib/text.ts';
import { profileOf } from '#domain/base/ports.ts';
import {
  countWasted,
  isWasted,
  evaluateWords,
  type EvaluatedWord,
} from '#domain/insights/keyword-field/evaluate-words.ts';
import { pickText, pickTextOfLocale } from '../app-texts.ts';
import type { AppFacts, FieldFacts, TextFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { count, quote } from '../format-text.ts';

const type = 'keyword-field-waste';
const rule = thresholds[type];

/**
 * A saved keyword field with wasted words or unused characters. A field that was never saved is
 * unknown.
 */
export const keywordFieldWaste: AppRule = {
  type,
  scope: 'app',
  evaluate: (facts: AppFacts) => {
    const fields = facts.fields.map((field) => ({ field, text: pickFieldText(facts, field) }));
    return {
      findings: fields.flatMap(({ field, text }) => evaluateField(facts, field, text) ?? []),
      // Without the listing, words that the title already has cannot be detected.
      undecided: fields
        .filter(({ text }) => text === null)
        .map(({ field }) => keyOf(type, facts.app.id, field.locale)),
    };
  },
};

/** The texts that the store indexes together with the field. */
const pickFieldText = (facts: AppFacts, { locale }: FieldFacts): TextFacts | null =>
  locale === 'default'
    ? pickText(facts, facts.app.primaryCountry)
    : pickTextOfLocale(facts, locale);

function evaluateField(
  facts: AppFacts,
  { locale, normalized, savedOn }: FieldFacts,
  text: TextFacts | null,
): Finding | null {
  const limit = profileOf(facts.app.store).texts.keywordField?.max;
  if (limit === undefined) return null;
  const followed = facts.keywords.map((keyword) => ({
    ...keyword,
    latestPosition: keyword.latest?.position ?? null,
  }));
  const words = evaluateWords(normalized, text, followed);
  const [wasted, unused] = [countWasted(normalized, words), limit - countCharacters(normalized)];
  if (wasted < rule.minWastedCharacters && unused < rule.minUnusedCharacters) return null;
  const wastedWords = words
    .filter(isWasted)
    .map((word) => ({ word: word.term, because: formatWasteReason(word) }));
  const parts = [
    ...(wasted > 0
      ? [
          `${count(wasted, 'character')} are used by words that add nothing: ${wastedWords
            .slice(0, 10)
            .map(({ word }) => quote(word))
            .join(', ')}`,
        ]
      : []),
    ...(unused > 0 ? [`${count(unused, 'character')} of ${limit} are unused`] : []),
  ];
  return {
    key: keyOf(type, facts.app.id, locale),
    fingerprint:
      `${normalized} ` +
      `${wastedWords.map(({ word, because }) => `${word}=${because}`).join(' ')}`,
    severity: wasted + unused >= rule.mediumCharacters ? 'medium' : 'low',
    title:
      `The keyword field${locale === 'default' ? '' : ` (${locale})`} has ` +
      `${count(wasted + unused, 'character')} that could hold better words`,
    reason:
      `${parts.join('; ')}. GET /apps/${facts.app.id}/keyword-field/analysis suggests words ` +
      'that fit.',
    evidence: {
      locale,
      normalized,
      savedOn,
      wastedCharacters: wasted,
      unusedCharacters: unused,
      limit,
      wastedWords,
      title: text?.name ?? null,
      subtitle: text?.subtitle ?? null,
    },
    keywordIds: [],
    weight: wasted + unused,
  };
}

function formatWasteReason(word: EvaluatedWord): string {
  if (word.inTitle) return 'in the title';
  if (word.inSubtitle) return 'in the subtitle';
  if (word.duplicate) return 'a duplicate';
  if (word.plural) return 'differs only by its plural';
  return word.brand ? 'the brand' : 'a stop word';
}
