import { describe, expect, it } from 'vitest';
import { languages } from '#contract/languages.ts';
import { findLocaleProblems, listLanguages } from '#scripts/rules/locales.ts';
import { findStrayTexts, listParts } from '#scripts/rules/page-texts.ts';
import { inlineSource, print } from './inline-source.ts';
import { tree } from './tree.ts';

const english = {
  'a.title': 'Title',
  'a.days_one': '{{count}} day',
  'a.days_other': '{{count}} days',
  'a.of': '{{used}} of {{limit}}',
};
const german = {
  'a.title': 'Titel',
  'a.days_one': 'ein Tag',
  'a.days_other': '{{count}} Tage',
  'a.of': '{{used}} von {{limit}}',
};
const japanese = {
  'a.title': '題名',
  'a.days_other': '{{count}}日',
  'a.of': '{{limit}}中{{used}}',
};

/** English, and one more language with these texts. */
const evaluate = (language: string, texts: object) =>
  findLocaleProblems([
    inlineSource('web/src/locales/en/a.json', JSON.stringify(english)),
    inlineSource(`web/src/locales/${language}/a.json`, JSON.stringify(texts)),
  ]).map(({ problem }) => problem);

describe('languages', () => {
  it('have all texts of English; `npm run translations` lists the missing ones', () => {
    expect(['en', ...listLanguages(tree)].toSorted()).toEqual(languages.toSorted());
    expect(print(findLocaleProblems(tree))).toEqual([]);
  });

  it('have numbers of their own, which `toFixed` writes in English', () => {
    const isShown = ({ path, text }: (typeof tree)[number]) =>
      path.startsWith('web/src/') && /(?<!Number\([\w.]+)\.toFixed\(/.test(text);
    expect(tree.filter(isShown).map(({ path }) => path)).toEqual([]);
  });

  it('name a country without a preposition, after which some names need an article', () => {
    const shown = tree.filter(({ path }) =>
      /^(web\/src\/locales|src\/contract\/events)\//.test(path),
    );
    const texts = shown.flatMap(({ text }) => text.match(/.*\p{L} \{\{country\}\}.*/gu) ?? []);
    expect(shown.length).toBeGreaterThan(100);
    expect(texts).toEqual([]);
  });

  it('call a workspace by its German name in German', () => {
    const german = tree.filter(({ path }) => path.startsWith('web/src/locales/de/'));
    expect(german.length).toBeGreaterThan(30);
    expect(german.flatMap(({ text }) => text.match(/.*\bWorkspaces?\b.*/g) ?? [])).toEqual([]);
  });

  it('are accepted when complete, with the plurals of their grammar', () => {
    expect(evaluate('de', german)).toEqual([]);
    expect(evaluate('ja', japanese)).toEqual([]);
  });

  it.each([
    ['a missing text', { ...german, 'a.title': undefined }, 'a.title is missing: Title'],
    [
      'a missing plural',
      { ...german, 'a.days_one': undefined },
      'a.days_one is missing: {{count}} days',
    ],
    ['an unknown text', { ...german, 'a.old': 'Alt' }, 'a.old is not in English'],
    ['an empty text', { ...german, 'a.title': ' ' }, 'a.title is empty'],
    [
      'an unknown placeholder',
      { ...german, 'a.of': '{{used}} von {{limits}}' },
      'a.of: nobody gives it {{limits}}',
    ],
    ['a missing placeholder', { ...german, 'a.of': '{{used}}' }, 'a.of: {{limit}} is left out'],
  ])('with %s are reported', (_name, texts, problem) => {
    expect(evaluate('de', texts)).toContain(problem);
  });

  it('with a plural that the language does not have, or a missing file, are reported', () => {
    expect(evaluate('ja', { ...japanese, 'a.days_one': '{{count}}日' })).toEqual([
      'a.days_one is not in English',
    ]);
    expect(
      findLocaleProblems([
        inlineSource('web/src/locales/en/a.json', '{}'),
        inlineSource('web/src/locales/de/b.json', '{}'),
      ]).map(({ problem }) => problem),
    ).toEqual(['missing', 'English has no such file']);
  });
});

describe('texts of a page', () => {
  const page = (said: string) => [
    inlineSource('web/src/locales/en/kit.json', '{"kit.close":"Close"}'),
    inlineSource(
      'web/src/locales/en/apps.json',
      '{"apps.title":"Apps","apps.kind.one":"One","apps.days_one":"{{count}} ' +
        'day","apps.days_other":"{{count}} days"}',
    ),
    inlineSource('web/src/locales/en/annotations.json', '{"notes.add":"Add"}'),
    inlineSource('web/src/i18n.ts', "const initialNamespaces = ['kit'];"),
    inlineSource('web/src/main.tsx', "import './router.tsx';"),
    inlineSource(
      'web/src/router.tsx',
      "page('/apps', ['apps'], () => import('./apps-page.tsx'), 'AppsPage');",
    ),
    inlineSource(
      'web/src/apps-page.tsx',
      "import { part } from './part.tsx'; t('apps.title'); t('kit.close');",
    ),
    inlineSource('web/src/part.tsx', said),
  ];
  const checkPage = (said: string) => findStrayTexts(page(said)).map(({ problem }) => problem);

  it('are exactly those that it loads, and all lazy ones are known', () => {
    expect(listParts(tree).length).toBeGreaterThan(20);
    expect(print(findStrayTexts(tree))).toEqual([]);
  });

  it('may be used in its parts: whole keys, plurals, keys that end in a value', () => {
    expect(checkPage("t('apps.days', { count }); t(`apps.kind.${kind}`);")).toEqual([]);
    expect(checkPage("const names = { 'notes.add': true };")).toEqual([]);
  });

  it('of a noun that it does not load are reported, in its parts too', () => {
    const stray = 'notes.add is a text of annotations, which web/src/apps-page.tsx does not bring';
    expect(checkPage("t('notes.add')")).toEqual([stray]);
    expect(checkPage('t(`notes.${verb}`)')).toEqual([stray]);
  });

  it('in the first load, or of a noun loaded for nothing, are reported', () => {
    const first = page("t('kit.close')").map((file) =>
      file.path.endsWith('main.tsx') ? inlineSource(file.path, "t('apps.title')") : file,
    );
    expect(findStrayTexts(first).map(({ problem }) => problem)).toEqual([
      'apps.title is a text of apps, which web/src/main.tsx does not bring',
    ]);
    const unused = page('').map((file) =>
      file.path.endsWith('apps-page.tsx') ? inlineSource(file.path, "t('kit.close')") : file,
    );
    expect(findStrayTexts(unused).map(({ problem }) => problem)).toEqual([
      'web/src/apps-page.tsx brings apps and says nothing of it',
    ]);
  });
});
