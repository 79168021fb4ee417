import { languageOf, localesOf, localesOf2026, readLocale } from '#listing-files/locales.ts';
import { below, type FieldText, type Listing, type ListingField } from '#listing-files/listing.ts';
import { fieldNames } from '../finding.ts';
import type { LintConfig } from '../lint-config.ts';
import type { RuleName } from '../lint-rules.ts';

export interface LocaleProblem {
  rule: RuleName;
  message: string;
  locale: string | null;
  field: ListingField | null;
  /** The text that has the problem; a missing one has none. */
  text?: FieldText;
  /** The file or the folder that should have it. */
  file: string;
}

/** Problems that only all locales together show. */
export function checkLocales(listing: Listing, config: LintConfig): LocaleProblem[] {
  return [
    ...checkNames(listing),
    ...checkRequired(listing, config),
    ...checkMissing(listing),
    ...checkWhatsNew(listing),
    ...checkCopies(listing),
  ];
}

const own = (text: FieldText | undefined): FieldText | undefined =>
  text && !text.isInherited && text.value.trim() !== '' ? text : undefined;

function folderOf(listing: Listing, locale: string): string {
  const [first] = Object.values(listing.locales.get(locale) ?? {});
  return first && !first.isInherited ? first.file : below(listing.root, locale);
}

function checkNames(listing: Listing): LocaleProblem[] {
  return [...listing.locales.keys()].flatMap((locale): LocaleProblem[] => {
    const problem = { locale, field: null, file: folderOf(listing, locale) };
    const known = readLocale(listing.store, locale);
    // F-Droid accepts any locale.
    if (known === null && listing.format !== 'f-droid') {
      const near = localesOf(listing.store).filter((one) => languageOf(one) === languageOf(locale));
      const hint = near.length > 0 ? `Use ${near.join(', ')}.` : 'Rename or remove it.';
      return [
        {
          ...problem,
          rule: 'unknown-locale',
          message: `The store has no locale ${locale}. ${hint}`,
        },
      ];
    }
    const isNew = known !== null && localesOf2026.includes(known) && listing.format === 'eas';
    return isNew
      ? [
          {
            ...problem,
            rule: 'locale-of-2026',
            message: `EAS refuses ${locale}, which the store added in 2026. Check your version.`,
          },
        ]
      : [];
  });
}

function checkRequired(listing: Listing, { locales }: LintConfig): LocaleProblem[] {
  const there = new Set(
    [...listing.locales.keys()].map((locale) => readLocale(listing.store, locale) ?? locale),
  );
  return locales
    .map((locale) => readLocale(listing.store, locale))
    .filter((locale) => locale !== null && !there.has(locale))
    .map((locale) => ({
      rule: 'missing-locale',
      locale,
      field: null,
      file: below(listing.root, locale!),
      message: `The locale ${locale} is missing. Add its texts, or take it out of "locales".`,
    }));
}

const expected: readonly ListingField[] = [
  'title',
  'subtitle',
  'summary',
  'keywordField',
  'description',
];

/** A text that two thirds of the locales have. */
function checkMissing(listing: Listing): LocaleProblem[] {
  const locales = [...listing.locales];
  return expected.flatMap((field) => {
    const having = locales.filter(([, texts]) => texts[field] && texts[field].value.trim() !== '');
    if (locales.length < 2 || having.length * 3 < locales.length * 2) return [];
    return locales
      .filter((one) => !having.includes(one))
      .map(([locale]) => ({
        rule: 'missing-text' as const,
        locale,
        field,
        file: folderOf(listing, locale),
        message: `${fieldNames[field]} of ${locale} is missing, and other locales have it. Add it.`,
      }));
  });
}

const version = /\b\d{1,4}\.\d{1,4}(?:\.\d{1,4})?\b/g;
/** Some may be other numbers: "1.5 times faster". */
const numbersOf = ({ value }: FieldText): string[] => [...new Set(value.match(version) ?? [])];

/** Notes of an older release, the same notes again, and notes that name another version. */
function checkWhatsNew(listing: Listing): LocaleProblem[] {
  const locales = [...listing.locales];
  const notes = locales.flatMap(([locale, { whatsNew }]) =>
    own(whatsNew) ? [{ locale, text: whatsNew! }] : [],
  );
  const { newestRelease: newest } = listing;
  const named = mostFrequent(notes.flatMap(({ text }) => numbersOf(text)));
  const problems: LocaleProblem[] = [];
  for (const { locale, text } of notes) {
    const problem = {
      rule: 'stale-whats-new' as const,
      locale,
      field: 'whatsNew' as const,
      text,
      file: text.file,
    };
    const numbers = numbersOf(text);
    if (
      text.before &&
      text.before.release !== 'default' &&
      text.before.value.trim() === text.value.trim()
    )
      problems.push({
        ...problem,
        message: `What’s new is that of ${text.before.release}. Write new notes.`,
      });
    else if (newest !== undefined && isOlder(text, newest))
      problems.push({
        ...problem,
        message: `What’s new is of ${text.release}, and the newest is of ${newest}. Add notes.`,
      });
    else if (numbers.length > 0 && named !== undefined && !numbers.includes(named))
      problems.push({
        ...problem,
        message: `What’s new names ${numbers.join(', ')}, and other locales ${named}. Update it.`,
      });
  }
  const missing =
    notes.length * 2 < locales.length
      ? []
      : locales.filter(([, { whatsNew }]) => !whatsNew || whatsNew.value.trim() === '');
  const effect = listing.format === 'supply' ? ' Supply uploads an empty text.' : '';
  return [
    ...problems,
    ...missing.map(([locale]) => ({
      rule: 'missing-whats-new' as const,
      locale,
      field: 'whatsNew' as const,
      file: folderOf(listing, locale),
      message: `What’s new of ${locale} is missing.${effect} Add it.`,
    })),
  ];
}

/** Notes for every version without its own are those of the newest, too. */
const isOlder = ({ release, hasDefault = false }: FieldText, newest: string): boolean =>
  release !== newest && release !== 'default' && !hasDefault;

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

const longFrom = 60;

/** The same long text in two languages is probably English that was not translated. */
function checkCopies(listing: Listing): LocaleProblem[] {
  const first = new Map<string, string>();
  const isEnglish = (locale: string) => Number(languageOf(locale) === 'en');
  const locales = [...listing.locales].toSorted(
    ([one], [other]) => isEnglish(other) - isEnglish(one),
  );
  return locales.flatMap(([locale, texts]) =>
    (['description', 'whatsNew', 'promotionalText'] as const).flatMap((field): LocaleProblem[] => {
      const text = own(texts[field]);
      if (!text || text.value.length < longFrom) return [];
      const key = `${field}\n${text.value.trim()}`;
      const other = first.get(key);
      if (other === undefined) first.set(key, locale);
      if (other === undefined || languageOf(other) === languageOf(locale)) return [];
      const message = `${fieldNames[field]} equals that of ${other}. Translate it.`;
      return [{ rule: 'same-as-other-language', locale, field, text, file: text.file, message }];
    }),
  );
}
