import type { StoreName } from '#stores/profiles.ts';
import type { ListingField } from '#listing-files/listing.ts';
import { fieldNames, type Problem, type TextCheck } from '../finding.ts';
import { lineOf } from '../words-of-text.ts';

/** Stores whose servers refuse emoji in these texts. */
const refusesEmoji: readonly { store: StoreName; fields: readonly ListingField[] }[] = [
  {
    store: 'ios',
    fields: ['title', 'subtitle', 'keywordField', 'description', 'whatsNew'],
  },
];

/** The signs of copyright and trademarks are pictographs for Unicode and texts for people. */
const pictograph = /(?![©®™])\p{Extended_Pictographic}/u;
/** Joiners are left out: Persian, the languages of India and emoji need them. */
const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]/u;
const control = /(?![\n\r\t])\p{Cc}/u;
const noBreakSpace = /[\u00a0\u202f]/u;
const tag = /<\/?(?:a|b|i|u|p|br|ul|ol|li|em|strong|font|h[1-6])(?:\s[^<>]{0,200})?\/?>/i;
const placeholders =
  /\b[Ll]orem ipsum\b|\bTODO\b|\bTBD\b|\bFIXME\b|\[insert [a-z]|\byour text here\b/;

export const checkCharacters: TextCheck = ({ listing, field, text: { value } }) => {
  const name = fieldNames[field];
  const problems: Problem[] = [];
  const find = (pattern: RegExp, rule: Problem['rule'], describe: (found: string) => string) => {
    const found = pattern.exec(value);
    if (found)
      problems.push({
        rule,
        message: describe(found[0]),
        found: found[0],
        lineInText: lineOf(value, found.index),
      });
  };
  const refused = refusesEmoji.find(({ store }) => store === listing.store)?.fields ?? [];
  if (refused.includes(field))
    find(
      pictograph,
      'emoji',
      (found) => `${name} has ${found}, which the store may refuse. Remove it.`,
    );
  if (refused.length > 0 && field === 'whatsNew')
    find(
      /[<>]/,
      'refused-character',
      (found) => `${name} has "${found}", which the store refuses. Remove it.`,
    );
  if (refused.length > 0 && field === 'description')
    find(tag, 'html-tag', (found) => `The store shows ${found} as it is written. Remove it.`);
  find(placeholders, 'placeholder-text', (found) => `${name} has "${found}". Write the text.`);
  find(invisible, 'invisible-character', (found) => describeInvisible(name, found));
  find(control, 'invisible-character', (found) => describeInvisible(name, found));
  if (field === 'keywordField')
    find(noBreakSpace, 'invisible-character', (found) => describeInvisible(name, found));
  if (hasMarksApart(value))
    problems.push({
      rule: 'not-composed',
      message: `${name} has characters and their marks apart, which count as two. Save it in NFC.`,
    });
  return problems;
};

/** Some characters of Hindi, Bengali and Hebrew are composed, and NFC takes them apart. */
function hasMarksApart(value: string): boolean {
  if (value === value.normalize('NFC')) return false;
  return [...new Intl.Segmenter().segment(value)].some(
    ({ segment }) => segment.normalize('NFC').length < segment.length,
  );
}

function describeInvisible(name: string, found: string): string {
  const code = found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return `${name} has the invisible character U+${code}. Remove it.`;
}
