import { timelineKinds } from '#contract/choices.ts';
import { useSearch } from '@tanstack/react-router';
import { useSearchChoice, useSearchValue } from '#web/search-value.ts';
import { readScope, spanOfScope } from '#web/scope.ts';
import type { TimelineFilter, TimelineKind } from '#web/queries/timeline.ts';

export const scopes = ['all', 'own', 'competitors'] as const;

/** The filters of the timeline, kept in the address. */
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
