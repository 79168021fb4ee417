import { describe, expect, test } from 'vitest';
import { changedFields } from '#contract/choices.ts';
import type { ChangeHead } from '#db/queries/changes/changes.ts';
import { toChangeItems } from '#domain/insights/timeline/change-items.ts';

const lines: Record<string, string> = {
  name: 'Lumen: “relax” & more, price',
  subtitle: 'night\nand day',
  version: '2.1 (build 4)',
};
const heads = (fields: readonly string[], more: Partial<ChangeHead> = {}) =>
  fields.map((field, index): ChangeHead => ({
    id: index + 1,
    appId: 1,
    listingId: 1,
    competitorId: null,
    name: 'Lumen',
    country: 'us',
    field,
    snapshotId: 2,
    previousId: 1,
    detectedAt: new Date('2026-11-04T08:00:00Z'),
    line: lines[field] ?? null,
    ...more,
  }));
const factsOf = (given: ChangeHead[]) => toChangeItems(given).map(({ fact }) => fact);

describe('the fact of a change', () => {
  test('has every changed field with its value, and a version with its notes', () => {
    const others = changedFields.filter(
      (field) => !['version', 'releaseNotes', 'minimumOsVersion'].includes(field),
    );
    expect(factsOf(heads(changedFields))).toEqual([
      { kind: 'version', competitorName: null, version: lines.version },
      {
        kind: 'change',
        competitorName: null,
        changes: others.map((field) => ({ field, value: lines[field] ?? null })),
      },
    ]);
    expect(factsOf(heads(['version'], { line: null }))).toEqual([
      { kind: 'version', competitorName: null, version: null },
    ]);
  });

  test('names the listing it is about, also without a name', () => {
    const changes = [{ field: 'price', value: null }];
    for (const name of ['Focus: changed habits', null]) {
      expect(factsOf(heads(['price'], { competitorId: 7, name }))).toEqual([
        { kind: 'change', competitorName: name, changes },
      ]);
    }
  });
});
