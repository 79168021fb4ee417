import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Keyword, Store } from '../../api.ts';
import { formatCountry } from '../../format.ts';
import { withTexts } from '../../i18n.ts';

const fetchCard = withTexts(['keyword'], () => import('../keyword/serp-card.tsx'));
const SerpCard = lazy(async () => ({ default: (await fetchCard()).SerpCard }));

/** What the store showed for a phrase, as it came back: whom one stands among. */
export function FirstResults({
  keyword: { id, phrase, country },
  store,
}: {
  keyword: Keyword;
  store: Store;
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
