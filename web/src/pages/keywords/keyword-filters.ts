import type { SortingState } from '@tanstack/react-table';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import type { Keyword } from '#web/api.ts';
import { useScope } from '#web/frame/use-scope.ts';
import type { Scope } from '#web/scope.ts';
import { columnIds } from './keyword-columns.tsx';

/** First and last position of the ranges of the rank distribution. */
const bands = {
  position1: [1, 1],
  position2to3: [2, 3],
  position4to10: [4, 10],
  position11to50: [11, 50],
  position51to100: [51, 100],
  position101: [101, 200],
} as const;

export const positionFilters = [
  'top10',
  'ranked',
  'position1',
  'position2to3',
  'position4to10',
  'position11to50',
  'position51to100',
  'position101',
  'not_found',
  'not_checked',
  'favorite',
  'paused',
  'published',
] as const;
export type PositionFilter = (typeof positionFilters)[number];

/**
 * Search, position, tag, countries, order and columns are kept in the address, so that a view can
 * be shared.
 */
export interface KeywordFilters extends Scope {
  q?: string | undefined;
  state?: PositionFilter | undefined;
  tag?: string | undefined;
  sort?: string | undefined;
  /** Comma-separated codes. A country selected in the frame takes precedence. */
  countries?: string | undefined;
  /** Columns besides phrase and position, separated by commas; `-` means none. */
  columns?: string | undefined;
}

export const noFilters = {
  q: undefined,
  state: undefined,
  tag: undefined,
  countries: undefined,
} satisfies Partial<KeywordFilters>;

const codes = /^[a-z]{2}(,[a-z]{2})*$/;
const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).slice(0, 100) || undefined
    : undefined;

function readKeywordFilters(search: Record<string, unknown>, scope: Scope): KeywordFilters {
  const state = positionFilters.find((filter) => filter === search.state);
  const { q, tag, sort, countries, columns } = search;
  return {
    ...scope,
    q: text(q),
    state,
    tag: text(tag),
    sort: text(sort),
    countries: typeof countries === 'string' && codes.test(countries) ? countries : undefined,
    columns: typeof columns === 'string' ? columns : undefined,
  };
}

type Change = Partial<KeywordFilters>;
/** A function gets the latest filters, which may not be rendered. It is called once. */
export type ChangeKeywordFilters = (next: Change | ((latest: KeywordFilters) => Change)) => void;

export function useKeywordFilters() {
  const scope = useScope();
  const filters = readKeywordFilters(useSearch({ strict: false }), scope);
  const router = useRouter();
  const navigate = useNavigate();
  const change: ChangeKeywordFilters = (next) => {
    const { search } = router.latestLocation;
    const values = typeof next === 'function' ? next(readKeywordFilters(search, scope)) : next;
    void navigate({ to: '.', search: (before) => ({ ...before, ...values }), replace: true });
  };
  return { filters, change };
}

export function parseSorting(sort: string | undefined): SortingState {
  const id = sort?.replace(/^-/, '');
  // The address may contain the order of another table.
  const known = columnIds.find((column) => column === id && column !== 'trend');
  return [{ id: known ?? 'position', desc: known !== undefined && sort!.startsWith('-') }];
}

export function serializeSorting([first]: SortingState): string | undefined {
  if (!first || (first.id === 'position' && !first.desc)) return undefined;
  return `${first.desc ? '-' : ''}${first.id}`;
}

function isInPositionBand(keyword: Keyword, filter: PositionFilter): boolean {
  const { latest } = keyword;
  if (filter === 'favorite') return keyword.favorite;
  if (filter === 'paused') return keyword.paused;
  if (filter === 'published') return keyword.published?.popularity != null;
  if (filter === 'not_checked') return latest === null;
  if (filter === 'not_found') return latest !== null && latest.position === null;
  if (latest?.position == null) return false;
  if (filter === 'ranked') return true;
  const [first, last] = filter === 'top10' ? [1, 10] : bands[filter];
  return latest.position >= first && latest.position <= last;
}

export function filterKeywords(
  keywords: Keyword[],
  { country, device, countries, q, state, tag }: KeywordFilters,
): Keyword[] {
  const requestedCountries = new Set(country ? [country] : countries?.split(','));
  const typed = normalisePhrase(q ?? '');
  return keywords.filter(
    (keyword) =>
      (requestedCountries.size === 0 || requestedCountries.has(keyword.country)) &&
      (!device || keyword.device === device) &&
      (!tag || keyword.tags.includes(tag)) &&
      (!state || isInPositionBand(keyword, state)) &&
      (!typed || keyword.phrase.includes(typed)),
  );
}
