import { countCharacters } from '#lib/text.ts';
import { languageOf } from '#listing-files/locales.ts';
import { profileOf } from '#stores/profiles.ts';
import type { Problem, TextCheck } from '../finding.ts';
import { fold, wordFinder, wordsOf } from '../words-of-text.ts';

const wrongSeparator = /[，、､،；;\n]/u;
const generic = new Set(['app', 'apps', 'free', 'best', 'new', 'top', 'cheap']);
/** Apple names these two; a brand may have them. */
const marks = /[#@＃＠]/u;
const wastedFrom = 25;

/** The keyword field of stores that have one. Each word is reported once, by the first rule. */
export const checkKeywords: TextCheck = ({ listing, locale, texts, field, text, config }) => {
  const limit = profileOf(listing.store).texts.keywordField?.max;
  if (field !== 'keywordField' || limit === undefined) return [];
  const { value } = text;
  const separator = wrongSeparator.exec(value)?.[0];
  if (separator !== undefined)
    return [
      {
        rule: 'keyword-separator',
        message:
          `${separator === '\n' ? 'A line end' : `"${separator}"`} joins the words beside it to ` +
          'one long keyword. Write a comma.',
      },
    ];
  const isEnglish = languageOf(locale) === 'en';
  const parts = value.trim() === '' ? [] : value.split(',');
  const problems = [...checkCommas(parts), ...checkMarks(parts, config.allow)];
  const names = [texts.title?.value ?? '', texts.subtitle?.value ?? ''].join('\n');
  problems.push(
    ...checkWords(parts, { names, developer: config.developer, isEnglish, allow: config.allow }),
  );
  const unused = limit - countCharacters(value);
  if (unused >= wastedFrom)
    problems.push({
      rule: 'keyword-unused',
      message: `The keyword field has ${unused} unused characters of ${limit}. Add keywords.`,
    });
  return problems;
};

function checkCommas(parts: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  const spaces = parts.reduce((sum, part) => sum + part.length - part.trim().length, 0);
  const empty = parts.filter((part) => part.trim() === '').length;
  if (empty > 0)
    problems.push({
      rule: 'keyword-empty',
      message: `Commas that separate nothing take ${empty} of the characters. Remove them.`,
    });
  if (spaces > 0)
    problems.push({
      rule: 'keyword-space',
      message: `Spaces beside commas take ${spaces} of the characters. Remove them.`,
    });
  return problems;
}

function checkMarks(parts: readonly string[], allow: readonly string[]): Problem[] {
  const allowed = new Set(allow.map(fold));
  return parts.flatMap((part): Problem[] => {
    const [mark] = marks.exec(part) ?? [];
    return mark === undefined || allowed.has(fold(part.trim()))
      ? []
      : [
          {
            rule: 'keyword-mark',
            message: `"${mark}" takes a character and is not searched. Remove it.`,
            found: part.trim(),
          },
        ];
  });
}

interface Names {
  names: string;
  developer: string;
  isEnglish: boolean;
  allow: readonly string[];
}

function checkWords(
  parts: readonly string[],
  { names, developer, isEnglish, allow }: Names,
): Problem[] {
  const isInName = wordFinder(names);
  const ofDeveloper = new Set(wordsOf(developer));
  const allowed = new Set(allow.flatMap(wordsOf));
  const words = parts.flatMap(wordsOf);
  const seen = new Set<string>();
  const reported = new Set<string>();
  const problems: Problem[] = [];
  const report = (word: string, rule: Problem['rule'], message: string) => {
    if (!reported.has(word)) problems.push({ rule, message, found: word });
    reported.add(word);
  };
  for (const word of words) {
    if (seen.has(word))
      report(
        word,
        'keyword-duplicate',
        `"${word}" appears twice in the keyword field. Once is enough.`,
      );
    else if (isInName(word))
      report(
        word,
        'keyword-in-title',
        `"${word}" is in the title or the subtitle already. Remove it.`,
      );
    else if (ofDeveloper.has(word))
      report(word, 'keyword-of-developer', `"${word}" is of the developer’s name. Remove it.`);
    else if (isEnglish && !allowed.has(word) && generic.has(word))
      report(
        word,
        'keyword-generic',
        `The store advises against "${word}". Use a word that people search.`,
      );
    seen.add(word);
  }
  if (isEnglish)
    for (const word of seen)
      if (word.length > 3 && word.endsWith('s') && seen.has(word.slice(0, -1)))
        report(word, 'keyword-plural', `"${fold(word)}" is a plural; its singular is enough.`);
  return problems;
}
