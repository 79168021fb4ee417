import { expect, test } from 'vitest';
import { compareScreenshots } from '#web/pages/timeline/compare-screenshots.ts';

const urlOf = (name: string, host = 1, size = '392x696') =>
  `https://is${host}-ssl.mzstatic.com/image/thumb/${name}.png/${size}bb.jpg`;
const compare = (before: string, after: string) =>
  compareScreenshots(
    'ios',
    [...before].map((name) => urlOf(name)),
    // Later readings have other servers and sizes.
    [...after].map((name) => urlOf(name, 4, '800x500')),
  );

test.each([
  ['abc', 'abc', [null, null, null], [null, null, null]],
  ['abc', 'xbc', ['removed', null, null], ['added', null, null]],
  ['abc', 'dabc', [null, null, null], ['added', null, null, null]],
  ['abcd', 'dabc', [null, null, null, 'moved'], ['moved', null, null, null]],
  ['abcd', 'dxab', [null, null, 'removed', 'moved'], ['moved', 'added', null, null]],
  ['', 'ab', [], ['added', 'added']],
  ['ab', '', ['removed', 'removed'], []],
])('screenshots %s before and %s after have their states', (a, b, before, after) => {
  expect(compare(a, b)).toEqual({ before, after });
});

test('addresses outside of the store are compared as they are', () => {
  const [one, other] = ['https://example.org/1.png', 'https://example.org/2.png'];
  expect(compareScreenshots('ios', [one], [one, other])).toEqual({
    before: [null],
    after: [null, 'added'],
  });
});
