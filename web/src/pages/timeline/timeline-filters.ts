import { timelineKinds } from '../../../../src/contract/choices.ts';
import { useSearch } from '@tanstack/react-router';
import { useSearchChoice, useSearchValue } from '../../search-value.ts';
import { readScope, spanOfScope } from '../../scope.ts';
import type { TimelineFilter, TimelineKind } from '../../queries/timeline.ts';

export const scopes = ['all', 'own', 'competitors'] as const;

/** What the feed shows; all of it lives in the address. */
export function useTimelineFilters() {
  const [asked, setAsked] = useSearchValue('kinds');
  const [scope, setScope] = useSearchChoice('scope', scopes);
  const inFrame = readScope(useSearch({ strict: false }));
  const picked = timelineKinds.filter((kind) => asked?.split(',').includes(kind));
  const toggle = (kind: TimelineKind) => {
    const next = timelineKinds.filter((other) =>
      other === kind ? !picked.includes(other) : picked.includes(other),
    );
    setAsked(next.length === 0 || next.length === timelineKinds.length ? null : next.join(','));
  };
  const filter: TimelineFilter = {
    ...spanOfScope(inFrame),
    kind: picked.length === 0 ? undefined : picked.join(','),
    scope: scope === 'all' ? undefined : scope,
    country: inFrame.country,
  };
  return { filter, picked, toggle, scope, setScope, showAll: () => setAsked(null) };
}
