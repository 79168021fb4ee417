import { timelineKinds } from '#contract/choices.ts';
import { useSearch } from '@tanstack/react-router';
import { toggleItem, useSearchChoice, useSearchValue } from '#web/search-value.ts';
import { readScope, spanOfScope } from '#web/scope.ts';
import type { TimelineFilter, TimelineKind } from '#web/queries/timeline.ts';

export const scopes = ['all', 'own', 'competitors'] as const;

const readKinds = (value: string | null): TimelineKind[] =>
  timelineKinds.filter((kind) => value?.split(',').includes(kind));

/** The filters of the timeline, kept in the address. */
export function useTimelineFilters() {
  const [asked, setAsked] = useSearchValue('kinds');
  const [scope, setScope] = useSearchChoice('scope', scopes);
  const inFrame = readScope(useSearch({ strict: false }));
  const picked = readKinds(asked);
  const toggle = (kind: TimelineKind) =>
    setAsked((latest) => {
      const next = toggleItem(readKinds(latest), kind);
      return next.length === timelineKinds.length ? null : next.join(',');
    });
  const filter: TimelineFilter = {
    ...spanOfScope(inFrame),
    kind: picked.length === 0 ? undefined : picked.join(','),
    scope: scope === 'all' ? undefined : scope,
    country: inFrame.country,
  };
  return { filter, picked, toggle, scope, setScope, showAll: () => setAsked(null) };
}
