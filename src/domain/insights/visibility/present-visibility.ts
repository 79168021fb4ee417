import type { CountedKeywords, VisibilityFilter } from './load-counted-keywords.ts';
import { visibilityFormula } from './visibility-index.ts';

/** The days of a visibility on one page, with scope, formula, keywords and providers. */
export const presentVisibility = <Item>(
  { country, device }: VisibilityFilter,
  { inputs, segments }: Pick<CountedKeywords, 'inputs' | 'segments'>,
  items: Item[],
) => ({
  country: country ?? null,
  device: device ?? null,
  formula: visibilityFormula,
  inputs,
  items,
  nextCursor: null,
  total: items.length,
  segments,
});
