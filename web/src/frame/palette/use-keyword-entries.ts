import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Hash } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatShortPosition } from '#web/components/format-position-text.ts';
import { call, type App, type Keyword } from '../../api.ts';
import { formatMarket } from '../../format.ts';
import { rateMatch } from './match.ts';
import type { Entry } from './use-entries.ts';

const pauseMs = 150;
const maxShown = 8;

/** Keywords of the app by phrase, requested when typing pauses. */
export function useKeywordEntries(
  app: App | undefined,
  typed: string,
): { entries: Entry[]; isWaiting: boolean } {
  const navigate = useNavigate();
  const { t } = useTranslation();
  const text = typed.trim().slice(0, 100);
  const [q] = useDebouncedValue(text, pauseMs);
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['apps', app?.id, 'keywords-by-phrase', q],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/keywords',
        { params: { id: app!.id }, query: { q, limit: maxShown } },
        signal,
      ),
    enabled: app !== undefined && q !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const describe = ({ latest, ...keyword }: Keyword) =>
    [
      formatMarket(keyword),
      latest ? formatShortPosition(latest, t) : t('position.notChecked'),
    ].join(' · ');
  const isOfTyped = q === text && !isPlaceholderData;
  // Keywords of an earlier text are shown while they match this one, too.
  const found = (data?.items ?? []).filter(
    ({ phrase }) => isOfTyped || rateMatch(phrase, text) > 0,
  );
  const entries = (q === '' || text === '' ? [] : found).map((keyword): Entry => {
    const run = () =>
      void navigate({ to: '/keywords/$keywordId', params: { keywordId: String(keyword.id) } });
    return {
      id: `keyword:${keyword.id}`,
      group: 'keywords',
      label: keyword.phrase,
      detail: describe(keyword),
      icon: Hash,
      run,
    };
  });
  return { entries, isWaiting: isFetching || !isOfTyped };
}
