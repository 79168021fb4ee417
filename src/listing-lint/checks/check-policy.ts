import type { StoreName } from '#stores/profiles.ts';
import type { ListingField } from '#listing-files/listing.ts';
import { languageOf } from '#listing-files/locales.ts';
import { fieldNames, type Problem, type TextCheck, type TextToCheck } from '../finding.ts';
import { findPhrases, wordsOf } from '../words-of-text.ts';

interface Policy {
  store: StoreName;
  rule: Problem['rule'];
  fields: readonly ListingField[];
  /** English, so that they are compared with English texts alone. */
  phrases: readonly string[];
  source: string;
}

/** The words of the stores' own lists. */
const policies: readonly Policy[] = [
  {
    store: 'android',
    rule: 'policy-word',
    fields: ['title'],
    phrases: [
      'best',
      '#1',
      'number one',
      'top',
      'free',
      'no ads',
      'ad free',
      'sale',
      'discount',
      'editors choice',
      'editor s choice',
      'million downloads',
    ],
    source: 'Google Play’s metadata policy (9898842)',
  },
  {
    store: 'android',
    rule: 'advised-word',
    fields: ['summary'],
    phrases: [
      'best',
      '#1',
      'top',
      'new',
      'discount',
      'sale',
      'million downloads',
      'download now',
      'install now',
      'play now',
      'try now',
    ],
    source: 'Google Play’s best practices (13393723)',
  },
  {
    store: 'ios',
    rule: 'advised-word',
    fields: ['title', 'subtitle'],
    phrases: ['best', '#1', 'number one', 'free', 'sale', 'discount', 'cheapest'],
    source: 'App Review Guideline 2.3.7',
  },
  {
    store: 'ios',
    rule: 'other-platform',
    fields: ['title', 'subtitle', 'keywordField', 'promotionalText', 'description', 'whatsNew'],
    phrases: ['Android', 'google play', 'play store', 'blackberry', 'windows phone'],
    source: 'App Review Guideline 2.3.10',
  },
];

/** The stores whose policy for titles forbids capitals, emoji and repeated marks. */
const strictTitles: readonly { store: StoreName }[] = [{ store: 'android' }];

export const checkPolicy: TextCheck = (subject) => [
  ...checkPhrases(subject),
  ...checkTitle(subject),
  ...checkRepetition(subject),
  ...checkSummary(subject),
];

function checkPhrases({ listing, locale, field, text, config }: TextToCheck): Problem[] {
  if (languageOf(locale) !== 'en' || listing.format === 'f-droid') return [];
  const allowed = findPhrases(text.value, config.allow).map((phrase) => wordsOf(phrase).join(' '));
  return policies
    .filter(({ store, fields }) => store === listing.store && fields.includes(field))
    .flatMap(({ rule, phrases, source }) =>
      findPhrases(text.value, phrases)
        .filter(
          (phrase) => !allowed.some((one) => ` ${one} `.includes(` ${wordsOf(phrase).join(' ')} `)),
        )
        .map((phrase) => ({
          rule,
          message: `${fieldNames[field]} has "${phrase}": ${source}. Change it, or allow it.`,
          found: phrase,
        })),
    );
}

const repeated = /([!?*★☆~•|=_$%-])\1/u;
const pictograph = /(?![©®™])\p{Extended_Pictographic}/u;

function checkTitle({ listing, field, text, config }: TextToCheck): Problem[] {
  const isStrict = strictTitles.some(({ store }) => store === listing.store);
  if (!isStrict || field !== 'title' || listing.format === 'f-droid') return [];
  const problems: Problem[] = [];
  const emoji = pictograph.exec(text.value)?.[0];
  const marks = repeated.exec(text.value)?.[0];
  if (emoji !== undefined)
    problems.push({ rule: 'emoji-in-title', message: `The title has ${emoji}. Remove it.` });
  if (marks !== undefined)
    problems.push({ rule: 'repeated-marks', message: `The title has "${marks}". Remove one.` });
  const capitals = findCapitals(text.value, config.allow);
  if (capitals.length > 0)
    problems.push({
      rule: 'capital-words',
      message:
        `The title has "${capitals.join(' ')}" in capitals. Use them only for the brand, and ` +
        'allow it.',
    });
  return problems;
}

/** Two words in capitals, or one long one; an abbreviation such as PDF is none. */
function findCapitals(title: string, allow: readonly string[]): string[] {
  const allowed = new Set(allow.flatMap((phrase) => phrase.split(/\s+/)));
  const words = (title.match(/\p{L}+/gu) ?? []).filter(
    (word) => word.length > 3 && word === word.toUpperCase() && word !== word.toLowerCase(),
  );
  const own = words.filter((word) => !allowed.has(word));
  return own.length > 1 || own.some((word) => word.length > 5) ? own : [];
}

function checkRepetition({ texts, field, text }: TextToCheck): Problem[] {
  const title = texts.title?.value.trim();
  const repeats = (field === 'subtitle' || field === 'summary') && text.value.trim() === title;
  return repeats
    ? [{ rule: 'same-as-title', message: `${fieldNames[field]} repeats the title. Say more.` }]
    : [];
}

function checkSummary({ listing, field, text }: TextToCheck): Problem[] {
  if (listing.format !== 'f-droid' || field !== 'summary') return [];
  const found = findPhrases(text.value, ['Android', 'free software']);
  const problems: string[] = found.map((phrase) => `has "${phrase}"`);
  if (/[.!]$/.test(text.value.trim())) problems.push('ends with a mark');
  return problems.map((problem) => ({
    rule: 'summary-of-f-droid',
    message: `The summary ${problem}, which F-Droid’s check refuses. Remove it.`,
  }));
}
