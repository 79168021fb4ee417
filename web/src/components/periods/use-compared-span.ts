import { useMemo } from 'react';
import type { Span } from '#web/queries/apps.ts';
import { useSearchValue } from '#web/search-value.ts';
import { findComparedSpan } from './compared-span.ts';

/** The period of `versus` in the address, which every chart of the page is compared with. */
export function useComparedSpan({ from, to }: Span): Span | null {
  const [value] = useSearchValue('versus');
  return useMemo(() => findComparedSpan({ from, to }, value), [from, to, value]);
}
