import { describe, expect, it } from 'vitest';
import { findStoreNames, findUnlistedStores } from '#scripts/rules/store-names.ts';
import { evaluate, print } from './inline-source.ts';
import { tree } from './tree.ts';

describe('names of stores', () => {
  it.each([
    ['src/domain/base/planted.ts', "const a = app.store === 'ios';"],
    ['src/domain/base/planted.ts', "if ('android' !== store) go();"],
    ['src/domain/base/planted.ts', "switch (store) { case 'ios': go(); }"],
    ['src/domain/base/planted.ts', 'const pages = { ios: 200, android: 30 };'],
    ['src/domain/base/planted.ts', "const pages = { 'ios': 200 };"],
    ['src/domain/base/planted.ts', 'const a = pages.android;'],
    ['src/domain/base/planted.ts', "const a = pages['android'];"],
    ['src/domain/base/planted.ts', "for (const store of ['ios']) go(store);"],
    ['src/contract/planted.ts', "const storeName = z.enum(['ios', 'android']);"],
    ['src/contract/planted.ts', "export type Store = 'ios' | 'android';"],
    ['src/db/queries/planted.ts', "const a = sql`select 1 where store = 'ios'`;"],
    ['src/db/queries/planted.ts', "const a = sql`select ${b} where store = 'ios'`;"],
    ['src/db/migrations/0001_planted.sql', "check (store in ('ios', 'android'))"],
    ['web/src/planted.tsx', "const a = <Avatar store={app?.store ?? 'ios'} />;"],
    ['web/src/planted.css', "[data-store='android'] { color: red; }"],
    ['bench/planted.ts', "const a = `case when m.store = 'ios' then 1 end`;"],
    ['scripts/planted.ts', "const a = store === 'ios';"],
  ])('in %s with %s are reported', (path, text) => {
    expect(evaluate(findStoreNames, path, text).length).toBeGreaterThan(0);
  });

  it.each([
    ['src/stores/ios/planted.ts', "throw unreadable('ios', 'json', 'no JSON');"],
    ['simulator/planted.ts', "const a = store === 'ios';"],
    ['tests/planted.ts', "const a = store === 'ios';"],
    ['src/contract/planted.ts', "const sample = { store: 'ios' as const, name: 'Lumen' };"],
    ['src/domain/base/planted.ts', "const a = 'the store android shows';"],
    ['src/db/migrations/0001_planted.sql', "-- As 'ios' does.\nselect 1;"],
    ['bench/planted.ts', "await insert({ store: 'android' });"],
  ])('in %s may be %s', (path, text) => {
    expect(evaluate(findStoreNames, path, text)).toEqual([]);
  });

  it('with a profile that is not in the list are reported', () => {
    const planted = { path: 'src/stores/planted/profile.ts', text: '' };
    expect(print(findUnlistedStores([...tree, planted]))).toHaveLength(1);
  });
});
