import { describe, expect, it } from 'vitest';
import { rules } from '#scripts/rules/run-rules.ts';
import { print } from './inline-source.ts';
import { tree } from './tree.ts';

describe('every file of the tree', () => {
  it.each(Object.keys(rules))('keeps the rule of %s', (name) => {
    expect(print(rules[name]!(tree))).toEqual([]);
  });
});
