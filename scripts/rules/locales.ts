/**
 * Every language has what English has: the same keys in the same files, the same placeholders, the
 * plurals of its own grammar.
 */
import { addEventTexts } from '../../web/event-texts.ts';
import type { Finding, SourceText } from './source-tree.ts';

type Texts = Record<string, string>;
const home = 'web/src/locales';
const source = 'en';
const plural = /_(zero|one|two|few|many|other)$/;

/** The languages beside English, by their folders. */
export function listLanguages(files: readonly SourceText[]): string[] {
  const named = files.flatMap(({ path }) =>
    path.startsWith(`${home}/`) ? (path.slice(home.length + 1).split('/')[0] ?? []) : [],
  );
  return [...new Set(named)].filter((language) => language !== source).toSorted();
}

export function findLocaleProblems(files: readonly SourceText[]): Finding[] {
  const english = files.filter(
    ({ path }) => path.startsWith(`${home}/${source}/`) && path.endsWith('.json'),
  );
  return listLanguages(files).flatMap((language) => {
    const own = files.filter(
      ({ path }) => path.startsWith(`${home}/${language}/`) && path.endsWith('.json'),
    );
    const superfluous = own
      .filter(({ path }) => !english.some((file) => nameOf(file.path) === nameOf(path)))
      .map(({ path }): Finding => ({ path, line: 1, problem: 'English has no such file' }));
    return [...english.flatMap((file) => compare(file, language, own)), ...superfluous];
  });
}

const nameOf = (path: string): string => path.split('/').at(-1)!;

function compare(english: SourceText, language: string, own: readonly SourceText[]): Finding[] {
  const path = `${home}/${language}/${nameOf(english.path)}`;
  const file = own.find((candidate) => candidate.path === path);
  if (!file) return [{ path, line: 1, problem: 'missing' }];
  const [from, to] = [read(english), read(file)];
  const expected = expectedKeys(from, language);
  const missing = [...expected]
    .filter(([key]) => !Object.hasOwn(to, key))
    .map(([key, sources]) => `${key} is missing: ${sources.at(-1)}`);
  const extra = Object.keys(to)
    .filter((key) => !expected.has(key))
    .map((key) => `${key} is not in English`);
  const wrong = [...expected].flatMap(([key, sources]) =>
    Object.hasOwn(to, key) ? checkText(key, to[key]!, sources) : [],
  );
  return [...missing, ...extra, ...wrong].map((problem) => ({ path, line: 1, problem }));
}

function read({ path, text }: SourceText): Texts {
  return JSON.parse(addEventTexts(path, text)) as Texts;
}

/**
 * The keys a language has to have, each with the English texts it stands for; of a plural, one for
 * each form of its grammar.
 */
function expectedKeys(english: Texts, language: string): Map<string, string[]> {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const expected = new Map<string, string[]>();
  for (const key of Object.keys(english)) {
    const stem = key.replace(plural, '');
    const isPlural = stem !== key && Object.hasOwn(english, `${stem}_other`);
    const sources = isPlural
      ? Object.keys(english).filter(
          (other) => other.replace(plural, '') === stem && plural.test(other),
        )
      : [key];
    // The library has a form for zero, in every language.
    const own = key.endsWith('_zero') ? [...forms, 'zero'] : forms;
    const names = isPlural ? own.map((form) => `${stem}_${form}`) : [key];
    for (const name of names)
      expected.set(
        name,
        sources.map((one) => english[one]!),
      );
  }
  return expected;
}

const placeholdersOf = (text: string): string[] =>
  [...new Set(text.match(/\{\{\s*[\w]+\s*\}\}/g) ?? [])]
    .map((mark) => mark.replace(/\s/g, ''))
    .toSorted();

/**
 * A form of a plural may leave out its number, as English does with "one"; it may not use unknown
 * placeholders.
 */
function checkText(key: string, text: string, sources: readonly string[]): string[] {
  if (text.trim() === '') return [`${key} is empty`];
  const given = new Set(sources.flatMap(placeholdersOf));
  const used = placeholdersOf(text);
  const unknown = used.filter((mark) => !given.has(mark));
  const fewest = sources.length > 1 ? [] : [...given].filter((mark) => !used.includes(mark));
  return [
    ...unknown.map((mark) => `${key}: nobody gives it ${mark}`),
    ...fewest.map((mark) => `${key}: ${mark} is left out`),
  ];
}
