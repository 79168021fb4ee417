import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { renameTagInPath } from '#domain/tracking/views/rename-tag-in-path.ts';

const keywords = '/apps/1/keywords';

test.each(['brand', 'own brand', 'a&b=c#d', '牌 / é', '2026', '1e3', 'true', '"x"', '[1]', '007'])(
  'the path of a view has the tag %s as the address of the page',
  (tag) => {
    const write = (name: string) =>
      `${keywords}${defaultStringifySearch({ country: 'de', tag: name, best: 10, q: '5' })}`;
    expect(renameTagInPath(write('old'), 'old', tag)).toBe(write(tag));
    expect(renameTagInPath(write(tag), tag, 'new')).toBe(write('new'));
    expect(defaultParseSearch(write(tag).slice(keywords.length))).toMatchObject({ tag });
  },
);

test.each([
  [
    'of the matrix',
    '/apps/1/competitors?tab=matrix&tag=old',
    '/apps/1/competitors?tab=matrix&tag=new',
  ],
  ['with a number typed by hand', `${keywords}?tag=7`, `${keywords}?tag=new`, '7'],
  ['with spaces typed by hand', `${keywords}?tag=o%20l%20d`, `${keywords}?tag=new`, 'o l d'],
  ['with a hash', `${keywords}?tag=old#row`, `${keywords}?tag=new#row`],
  ['with a slash at its end', `${keywords}/?tag=old`, `${keywords}/?tag=new`],
])('a path %s is renamed', (_name, path, renamed, from = 'old') => {
  expect(renameTagInPath(path, from, 'new')).toBe(renamed);
});

test.each([
  '/apps/1/reviews?tag=old',
  '/apps/1/timeline?tag=old',
  '/apps/1/keywords',
  `${keywords}?q=old`,
  `${keywords}?tag=older`,
  `${keywords}?tag=old&tag=other`,
  `${keywords}?tag=%5B%22old%22%5D`,
  `${keywords}?q=%zz&tag=other`,
  `${keywords}#?tag=old`,
  '/keywords/1?tag=old',
])('the path %s stays', (path) => {
  expect(renameTagInPath(path, 'old', 'new')).toBe(path);
});
