import { useNavigate } from '@tanstack/react-router';
import { Hash } from 'lucide-react';
import type { App } from '../../api.ts';
import { rateMatch } from './match.ts';
import { useRecent } from './recent.ts';
import { useEntries, type Entry } from './use-entries.ts';
import { useKeywordEntries } from './use-keyword-entries.ts';

/** Entries that match the query. Without a query, the recent ones come first, then all others. */
export function useFound(app: App | undefined, typed: string, withAppsAlone: boolean) {
  const navigate = useNavigate();
  const all = useEntries(app);
  const kept = useRecent();
  const { entries: keywords, isWaiting } = useKeywordEntries(
    withAppsAlone ? undefined : app,
    typed,
  );
  const known = withAppsAlone ? all.filter(({ group }) => group === 'apps') : all;
  if (typed.trim()) {
    const rated = known
      .map((entry) => ({ entry, rate: rateMatch(`${entry.label} ${entry.detail}`, typed) }))
      .filter(({ rate }) => rate > 0);
    return {
      found: [...rated.toSorted((a, b) => b.rate - a.rate).map(({ entry }) => entry), ...keywords],
      isWaiting,
    };
  }
  const recent = (withAppsAlone ? [] : kept.get()).flatMap(({ id, label, detail }): Entry[] => {
    const entry = all.find((candidate) => candidate.id === id);
    const keywordId = /^keyword:(\d+)$/.exec(id)?.[1];
    if (entry) return [{ ...entry, group: 'recent' }];
    if (!keywordId) return [];
    const run = () => void navigate({ to: '/keywords/$keywordId', params: { keywordId } });
    return [{ id, group: 'recent', label, detail: detail.split(' · ')[0]!, icon: Hash, run }];
  });
  const shown = new Set(recent.map(({ id }) => id));
  return { found: [...recent, ...known.filter(({ id }) => !shown.has(id))], isWaiting: false };
}
