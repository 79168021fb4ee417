import { describe, expect, it } from 'vitest';
import { findBannedWords, findFreeRelatives } from '#scripts/rules/words.ts';

const file = (path: string, text: string) => [{ path, text }];

describe('words', () => {
  it.each([
    ['a function', 'src/lib/a.ts', 'export function tellAlerts() {}'],
    ['a variable', 'src/lib/a.ts', 'const rivals = [];'],
    ['a comment', 'src/lib/a.ts', '/** Done with the next beat. */\nexport const a = 1;'],
    ['a message', 'src/lib/a.ts', "export const text = 'a sweep failed and is retried';"],
    ['a file name', 'src/lib/chore-list.ts', 'export const a = 1;'],
    ['a document', 'docs/a.md', 'House work is a row of jobs.'],
    ['a migration', 'src/db/migrations/0099_a.sql', '-- What the sweep deletes.\nselect 1;'],
  ])('a banned word is reported in %s', (_name, path, text) => {
    expect(findBannedWords(file(path, text))).not.toEqual([]);
  });

  it('a word that merely contains a banned one is allowed', () => {
    const text = '/** The heartbeat of a marketplace. */\nexport const placeholder = 1;';
    expect(findBannedWords(file('src/lib/a.ts', text))).toEqual([]);
  });

  it.each(['What it does not take is released.', 'Who asks waits.', 'Of the first ten.'])(
    'a comment that opens with a free relative is reported: %s',
    (text) => {
      const tree = file('src/lib/a.ts', `/** ${text} */\nexport const a = 1;`);
      expect(findFreeRelatives(tree).findings).toHaveLength(1);
    },
  );

  it('a sentence with a subject is allowed', () => {
    const tree = file('src/lib/a.ts', '/** Rejected jobs are released. */\nexport const a = 1;');
    expect(findFreeRelatives(tree)).toMatchObject({ comments: 1, findings: [] });
  });
});
