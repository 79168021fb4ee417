import type { FieldText, Listing, ListingField } from '#listing-files/listing.ts';
import { checkAddress } from './checks/check-address.ts';
import { checkCharacters } from './checks/check-characters.ts';
import { checkKeywords } from './checks/check-keywords.ts';
import { checkLength } from './checks/check-length.ts';
import { checkLocales } from './checks/check-locales.ts';
import { checkPolicy } from './checks/check-policy.ts';
import type { Finding, TextCheck } from './finding.ts';
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
  return [...listing.locales].flatMap(([locale, texts]) =>
    (Object.entries(texts) as [ListingField, FieldText][])
      .filter(([, text]) => !text.isInherited)
      .flatMap(([field, text]) =>
        textChecks
          .flatMap((check) => check({ listing, locale, texts, field, text, config }))
          .map(({ rule, message, found, lineInText = 0 }) => ({
            rule,
            // A text in JSON is in one line.
            line: text.line + (text.file.endsWith('.json') ? 0 : lineInText),
            file: text.file,
            locale,
            field,
            message,
            ...(found !== undefined && { found }),
          })),
      ),
  );
}

export const isIgnored = ({ ignore }: LintConfig, rule: RuleName, file: string): boolean =>
  ignore.some((one) => one.rule === rule && (one.file === file || file.endsWith(`/${one.file}`)));

/** The worst first, and then by file. */
export function compareFindings(one: Finding, other: Finding): number {
  return (
    levels.indexOf(one.level) - levels.indexOf(other.level) ||
    (one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1)
  );
}
