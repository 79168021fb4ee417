import type { FieldText, Listing, ListingField, LocaleTexts } from '#listing-files/listing.ts';
import { languageOf } from '#listing-files/locales.ts';
import { checkAddress } from './checks/check-address.ts';
import { checkCharacters } from './checks/check-characters.ts';
import { checkKeywords } from './checks/check-keywords.ts';
import { checkLength } from './checks/check-length.ts';
import { checkLocales } from './checks/check-locales.ts';
import { checkPolicy } from './checks/check-policy.ts';
import type { Finding, TextCheck, TextToCheck } from './finding.ts';
import type { LintConfig } from './lint-config.ts';
import { levels, lintRules, type RuleName } from './lint-rules.ts';

const textChecks: readonly TextCheck[] = [
  checkLength,
  checkCharacters,
  checkKeywords,
  checkPolicy,
  checkAddress,
];

type Found = Omit<Finding, 'level'>;

/** Findings of a listing, the worst first. Paths are those of the listing's files. */
export function lintListing(listing: Listing, config: LintConfig): Finding[] {
  const found: Found[] = [
    ...listing.faults.map(({ file, message }) => ({
      rule: 'unreadable-file' as const,
      file,
      line: 1,
      locale: null,
      field: null,
      message: `${message}.`,
    })),
    ...checkTexts(listing, config),
    ...checkLocales(listing, config).map(({ text, ...problem }) => ({
      ...problem,
      line: text?.line ?? 1,
    })),
  ];
  return found
    .flatMap((one) => {
      const level = config.rules[one.rule] ?? lintRules[one.rule].level;
      return level === 'off' || isIgnored(config, one.rule, one.file) ? [] : [{ ...one, level }];
    })
    .toSorted(compareFindings);
}

function checkTexts(listing: Listing, config: LintConfig): Found[] {
  return listTexts(listing).flatMap(({ folder, ...subject }) =>
    textChecks
      .flatMap((check) => check({ listing, config, ...subject }))
      .map(({ rule, message, found, lineInText = 0 }) => ({
        rule,
        // A text in JSON is in one line.
        line: subject.text.line + (subject.text.file.endsWith('.json') ? 0 : lineInText),
        file: subject.text.file,
        locale: folder,
        field: subject.field,
        message,
        ...(found !== undefined && { found }),
      })),
  );
}

interface ListedText extends Pick<TextToCheck, 'locale' | 'texts' | 'field' | 'text'> {
  /** The name of the locale, or `default`. */
  folder: string;
}

/** Every text once. One of `default` is checked beside the texts of a locale that inherits it. */
function listTexts({ locales, defaults = {} }: Listing): ListedText[] {
  const own = [...locales].flatMap(([locale, texts]) =>
    listFields(texts)
      .filter(([, text]) => !text.isInherited)
      .map(([field, text]) => ({ folder: locale, locale, texts, field, text })),
  );
  const shared = listFields(defaults).map(([field, text]) => {
    const [locale, texts] = heirOf(locales, field) ?? ['default', defaults];
    return { folder: 'default', locale, texts, field, text };
  });
  return [...own, ...shared];
}

/** An English locale if one inherits the text, because some rules are for English alone. */
function heirOf(locales: Listing['locales'], field: ListingField) {
  const heirs = [...locales].filter(([, texts]) => texts[field]?.isInherited);
  return heirs.find(([locale]) => languageOf(locale) === 'en') ?? heirs[0];
}

const listFields = (texts: LocaleTexts) => Object.entries(texts) as [ListingField, FieldText][];

export const isIgnored = ({ ignore }: LintConfig, rule: RuleName, file: string): boolean =>
  ignore.some((one) => one.rule === rule && (one.file === file || file.endsWith(`/${one.file}`)));

/** The worst first, and then by file. */
export function compareFindings(one: Finding, other: Finding): number {
  return (
    levels.indexOf(one.level) - levels.indexOf(other.level) ||
    (one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1)
  );
}
