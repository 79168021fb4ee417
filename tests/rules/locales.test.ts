import { describe, expect, it } from 'vitest';
import { findLocaleFaults, listLanguages } from '../../scripts/rules/locales.ts';
import { readTree } from '../../scripts/rules/tree.ts';
import { plant, print } from './plant.ts';

const tree = readTree();
const english = { 'a.title': 'Title', 'a.days_one': '{{count}} day', 'a.days_other': '{{count}} days', 'a.of': '{{used}} of {{limit}}' };
const german = { 'a.title': 'Titel', 'a.days_one': 'ein Tag', 'a.days_other': '{{count}} Tage', 'a.of': '{{used}} von {{limit}}' };
const japanese = { 'a.title': '題名', 'a.days_other': '{{count}}日', 'a.of': '{{limit}}中{{used}}' };

/** English, and one language beside it that says this. */
const judge = (language: string, texts: object) =>
  findLocaleFaults([
    plant('web/src/locales/en/a.json', JSON.stringify(english)),
    plant(`web/src/locales/${language}/a.json`, JSON.stringify(texts)),
  ]).map(({ problem }) => problem);

describe('languages', () => {
  it('German and Japanese say all that English says; `npm run translations` lists what they do not', () => {
    expect(listLanguages(tree)).toEqual(['de', 'ja']);
    expect(print(findLocaleFaults(tree))).toEqual([]);
  });

  it('whole languages are fine, each with the plurals of its own grammar', () => {
    expect(judge('de', german)).toEqual([]);
    expect(judge('ja', japanese)).toEqual([]);
  });

  it.each([
    ['a text that is missing', { ...german, 'a.title': undefined }, 'a.title is missing: Title'],
    ['a plural that is missing', { ...german, 'a.days_one': undefined }, 'a.days_one is missing: {{count}} days'],
    ['a text of nothing', { ...german, 'a.old': 'Alt' }, 'a.old is not in English'],
    ['an empty text', { ...german, 'a.title': ' ' }, 'a.title is empty'],
    ['a placeholder that nobody fills', { ...german, 'a.of': '{{used}} von {{limits}}' }, 'a.of: nobody gives it {{limits}}'],
    ['a placeholder that is left out', { ...german, 'a.of': '{{used}}' }, 'a.of: {{limit}} is left out'],
  ])('%s is caught', (_name, texts, problem) => {
    expect(judge('de', texts)).toContain(problem);
  });

  it('a plural that the language does not have is caught, and a file that is missing', () => {
    expect(judge('ja', { ...japanese, 'a.days_one': '{{count}}日' })).toEqual(['a.days_one is not in English']);
    expect(
      findLocaleFaults([plant('web/src/locales/en/a.json', '{}'), plant('web/src/locales/de/b.json', '{}')]).map(({ problem }) => problem),
    ).toEqual(['missing', 'English has no such file']);
  });
});
