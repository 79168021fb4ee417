import type { TFunction } from 'i18next';
import { findExcess, isTooLong } from './phrase-rules.ts';

/** Names the limit that the first of these phrases exceeds; null when all fit. */
export function describeTooLong(phrases: readonly string[], t: TFunction): string | null {
  const tooLong = phrases.filter(isTooLong);
  const [example] = tooLong;
  if (example === undefined) return null;
  const { unit, ...excess } = findExcess(example)!;
  return t(`add.tooMany${unit}`, {
    count: tooLong.length,
    phrase: example.slice(0, 60),
    ...excess,
  });
}
