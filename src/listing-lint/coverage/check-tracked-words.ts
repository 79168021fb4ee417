import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { listMissingWords, listWords, wordFinder } from '#lib/phrase-words.ts';
import type { FieldText, Listing } from '#listing-files/listing.ts';
import type { Finding } from '../finding.ts';
import type { LintConfig } from '../lint-config.ts';
import { isIgnored } from '../lint-listing.ts';
import { lintRules, type RuleName } from '../lint-rules.ts';
import { localesOfCountry, searchedText, type Tracked } from './cover-phrases.ts';

const shownPhrases = 3;

/** Tracked words that no text has, and words of keyword fields that no tracked phrase has. */
export function checkTrackedWords(
  listing: Listing,
  tracked: Tracked,
  config: LintConfig,
): Finding[] {
  return [...findMissingWords(listing, tracked), ...findUnusedWords(listing, tracked)].flatMap(
    ({ rule, text, locale, message }) => {
      const level = config.rules[rule] ?? lintRules[rule].level;
      if (level === 'off' || isIgnored(config, rule, text.file)) return [];
      return [{ rule, level, file: text.file, line: text.line, locale, field: null, message }];
    },
  );
}

interface Found {
  rule: RuleName;
  text: FieldText;
  locale: string;
  message: string;
}

function findMissingWords(listing: Listing, tracked: Tracked): Found[] {
  const byCountry = Map.groupBy(tracked.phrases, ({ country }) => country);
  return [...byCountry].flatMap(([country, phrases]) => {
    const locales = localesOfCountry(listing, tracked, country);
    const [first] = locales.flatMap(([locale, texts]) => {
      const text = texts.keywordField ?? texts.title ?? texts.summary;
      return text ? [{ locale, text }] : [];
    });
    if (!first) return [];
    const holds = wordFinder(
      locales.map(([, texts]) => searchedText(tracked.store, texts)).join('\n'),
    );
    const byWord = new Map<string, Set<string>>();
    for (const { phrase } of phrases)
      for (const word of listMissingWords(normalisePhrase(phrase), holds))
        byWord.set(word, (byWord.get(word) ?? new Set()).add(phrase));
    return [...byWord].map(([word, having]) => ({
      rule: 'tracked-word-missing' as const,
      ...first,
      message:
        `"${word}" is in no text that searches of ${country} find, and in ` +
        `${having.size === 1 ? 'a tracked phrase' : `${having.size} tracked phrases`}: ` +
        `${[...having].slice(0, shownPhrases).join('; ')}` +
        `${having.size > shownPhrases ? '; …' : ''}.`,
    }));
  });
}

function findUnusedWords(listing: Listing, tracked: Tracked): Found[] {
  const countries = [...new Set(tracked.phrases.map(({ country }) => country))];
  const { locales, defaults = {} } = listing;
  return [...locales, ['default', defaults] as const].flatMap(([locale, texts]) => {
    const text = texts.keywordField;
    if (!text || text.isInherited) return [];
    const ofLocale = countries.filter((country) =>
      localesOfCountry(listing, tracked, country).some(
        ([name, { keywordField }]) =>
          name === locale || (texts === defaults && keywordField?.isInherited),
      ),
    );
    if (ofLocale.length === 0) return [];
    const phrases = tracked.phrases.filter(({ country }) => ofLocale.includes(country));
    const isTracked = wordFinder(phrases.map(({ phrase }) => phrase).join('\n'));
    return listWords(text.value.replaceAll(',', '\n'))
      .filter((word) => !isTracked(word))
      .map((word) => ({
        rule: 'keyword-without-phrase' as const,
        text,
        locale,
        message:
          `"${word}" is in no phrase that is tracked in ${ofLocale.join(', ')}. Track a phrase ` +
          'with it, or use its characters for another word.',
      }));
  });
}
