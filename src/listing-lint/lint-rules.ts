export const levels = ['error', 'warning', 'info'] as const;
export type Level = (typeof levels)[number];

interface Rule {
  level: Level;
  /** One sentence for lists of rules. */
  summary: string;
}

const rule = (level: Level, summary: string): Rule => ({ level, summary });

/** Limits and refusals of a store are errors, its policies and advice warnings or notes. */
export const lintRules = {
  'unreadable-file': rule('error', 'The tool or Toprung cannot use a file.'),
  'too-long': rule('error', 'A text has more characters than the store accepts.'),
  'too-long-with-line-end': rule('warning', 'Only its last line end makes a text too long.'),
  'too-long-in-utf-16': rule('warning', 'A text fits in characters and not in UTF-16 units.'),
  'too-short': rule('error', 'A text has fewer characters than the store requires.'),
  'unknown-locale': rule('error', 'The store has no such locale.'),
  'locale-of-2026': rule(
    'warning',
    'The tool does not know a locale that the store added in 2026.',
  ),
  'missing-locale': rule('error', 'A locale that the configuration names is missing.'),
  'missing-text': rule('warning', 'A locale lacks a text that the other locales have.'),
  'missing-whats-new': rule('warning', 'A locale has no notes for the newest release.'),
  'stale-whats-new': rule('warning', 'What’s new is that of an earlier release.'),
  'same-as-other-language': rule('info', 'A long text equals that of another language.'),
  'refused-character': rule('error', 'The store refuses < and > in what’s new.'),
  emoji: rule('warning', 'The App Store refuses some emoji, and publishes no list.'),
  'emoji-in-title': rule('error', 'Google Play allows no emoji in titles.'),
  'html-tag': rule('warning', 'The App Store shows tags as they are written.'),
  'not-composed': rule('warning', 'A character and its mark are counted as two.'),
  'invisible-character': rule('warning', 'A text has a character that nobody sees.'),
  'placeholder-text': rule('error', 'A text is not written yet.'),
  'keyword-separator': rule('error', 'Only a comma separates keywords.'),
  'keyword-space': rule('warning', 'A space beside a comma counts as a character.'),
  'keyword-empty': rule('warning', 'A comma separates nothing.'),
  'keyword-duplicate': rule('warning', 'A word appears twice in the keyword field.'),
  'keyword-in-title': rule('warning', 'The title or the subtitle has the word already.'),
  'keyword-of-developer': rule('warning', 'The developer’s name is found without it.'),
  'keyword-plural': rule('info', 'A plural whose singular is in the field.'),
  'keyword-generic': rule('info', 'A word that the store advises against.'),
  'keyword-mark': rule('warning', 'The store advises against # and @ in the keyword field.'),
  'keyword-unused': rule('info', 'A quarter of the keyword field or more is unused.'),
  'policy-word': rule('error', 'A word that the store’s policy forbids in this text.'),
  'advised-word': rule('warning', 'A word that the store advises against in this text.'),
  'other-platform': rule('warning', 'The App Store refuses names of other platforms.'),
  'capital-words': rule('warning', 'Google Play allows capitals only for a brand.'),
  'repeated-marks': rule('error', 'Google Play allows no repeated special characters in titles.'),
  'same-as-title': rule('warning', 'The text repeats the title.'),
  'summary-of-f-droid': rule('warning', 'F-Droid’s own check refuses the summary.'),
  'tracked-word-missing': rule('warning', 'No text has a word of a tracked phrase.'),
  'keyword-without-phrase': rule('info', 'A word of the keyword field is in no tracked phrase.'),
  'invalid-address': rule('error', 'The text is not an address of a website.'),
} satisfies Record<string, Rule>;

export type RuleName = keyof typeof lintRules;
export const ruleNames = Object.keys(lintRules) as RuleName[];
