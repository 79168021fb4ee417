import { useNavigate, useSearch } from '@tanstack/react-router';
import { readScope, type Scope } from '#web/scope.ts';
import type { ReviewFilter } from '#web/queries/reviews.ts';

export const starChoices = ['1', '2', '3', '4', '5'] as const;
const sorts = ['newest', 'lowest'] as const;

/** The filters of the list, kept in the address. */
export interface ReviewSearch extends Scope {
  stars: string[];
  q: string;
  unread: boolean;
  version: string | undefined;
  language: string | undefined;
  tag: string | undefined;
  reply: 'with' | 'without' | undefined;
  sort: (typeof sorts)[number];
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).slice(0, 100) || undefined
    : undefined;

function readReviewSearch(search: Record<string, unknown>): ReviewSearch {
  const stars = (text(search.stars) ?? '').split(',');
  const language = text(search.language);
  return {
    ...readScope(search),
    stars: starChoices.filter((star) => stars.includes(star)),
    q: text(search.q) ?? '',
    unread: search.unread === true || search.unread === 'true',
    version: text(search.version),
    language: language && /^[a-z]{2,3}$/.test(language) ? language : undefined,
    tag: text(search.tag),
    reply: search.reply === 'with' || search.reply === 'without' ? search.reply : undefined,
    sort: sorts.find((sort) => sort === search.sort) ?? 'newest',
  };
}

export type ReviewFilterUpdate = Partial<
  Record<'stars' | 'q' | 'version' | 'language' | 'tag' | 'reply' | 'sort', string | undefined>
> & {
  unread?: true | undefined;
};

/** A function gets the latest filters, which may not be rendered. */
export type ChangeReviewFilter = (
  next: ReviewFilterUpdate | ((latest: ReviewSearch) => ReviewFilterUpdate),
) => void;

export function useReviewSearch(): { search: ReviewSearch; change: ChangeReviewFilter } {
  const search = readReviewSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change: ChangeReviewFilter = (next) =>
    void navigate({
      to: '.',
      search: (before) => ({
        ...before,
        ...(typeof next === 'function' ? next(readReviewSearch(before)) : next),
      }),
      replace: true,
    });
  return { search, change };
}

export function toFilter(
  { country, stars, q, unread, version, language, tag, reply, sort }: ReviewSearch,
  span: { from: string; to: string },
): ReviewFilter {
  return {
    ...span,
    country,
    rating: stars.length > 0 ? stars.join(',') : undefined,
    q: q || undefined,
    unread: unread ? 'true' : undefined,
    version,
    language,
    tag,
    hasReply: reply && (reply === 'with' ? 'true' : 'false'),
    sort,
  };
}

export const isFiltered = ({
  stars,
  q,
  unread,
  version,
  language,
  tag,
  reply,
}: ReviewSearch): boolean =>
  stars.length > 0 ||
  q !== '' ||
  unread ||
  [version, language, tag, reply].some((value) => value !== undefined);
