import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Keyword, Store } from '#web/api.ts';
import { formatCountry } from '#web/format.ts';
import { withTexts } from '#web/i18n.ts';

const fetchCard = withTexts(['keyword'], () => import('../keyword/serp-card.tsx'));
const SerpCard = lazy(async () => ({ default: (await fetchCard()).SerpCard }));

/** The search results of a checked phrase. */
export function FirstResults({
  keyword: { id, phrase, country },
  store,
}: {
  keyword: Keyword;
  store: Store | undefined;
}) {
  return (
    <Suspense fallback={<Skeleton height={480} radius={14} />}>
      <SerpCard
        key={id}
        keywordId={id}
        store={store}
        title={`${phrase} · ${formatCountry(country)}`}
      />
    </Suspense>
  );
}
