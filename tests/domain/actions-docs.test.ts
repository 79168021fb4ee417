import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { actionTypes } from '#contract/choices.ts';
import {
  maxOpenPerType,
  maxSearchedForEntrants,
  reopenWindowDays,
  positionMaxAgeDays,
  thresholds,
} from '#domain/insights/actions/thresholds.ts';
import { profileOf } from '#stores/profiles.ts';

const page = readFileSync(new URL('../../docs/actions.md', import.meta.url), 'utf8');

/** The numbers of a section's table. */
function readNumbers(section: string): Record<string, number> {
  return Object.fromEntries(
    [...section.matchAll(/^\| `(\w+)` \| ([\d.]+) \|/gm)].map(([, name, value]) => [
      name,
      Number(value),
    ]),
  );
}

test('docs/actions.md has every rule of the code with its numbers, and no other', () => {
  const sections = new Map(
    page
      .split(/^### /m)
      .slice(1)
      .map((section) => [section.split('\n')[0], section.split(/^## /m)[0]!]),
  );
  expect([...sections.keys()]).toEqual([...actionTypes]);
  expect(
    Object.fromEntries([...sections].map(([type, section]) => [type, readNumbers(section)])),
  ).toEqual(thresholds);
});

test('docs/actions.md has the numbers of the code in its sentences', () => {
  expect(page).toContain(`Up to ${maxOpenPerType} actions of a type`);
  expect(page).toContain(`back within ${reopenWindowDays} days`);
  expect(page).toContain(`not checked for ${positionMaxAgeDays} days`);
  expect(page).toContain(`the ${maxSearchedForEntrants} with the most traffic are searched`);
  const [ios, android] = [profileOf('ios').texts, profileOf('android').texts];
  expect(page).toContain(
    `of ${ios.title?.max}, ${ios.subtitle?.max} and ${android.summary?.max} characters`,
  );
});
