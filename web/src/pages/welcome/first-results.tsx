import { Skeleton } from '@mantine/core';
import type { Keyword, Store } from '#web/api.ts';
import { lazyPart } from '#web/components/lazy-part.tsx';
import { formatCountry } from '#web/format.ts';
import { withTexts } from '#web/i18n.ts';

const fetchCard = withTexts(['keyword'], () => import('../keyword/serp-card.tsx'));
const SerpCard = lazyPart(async () => (await fetchCard()).SerpCard);

/** The search results of a checked phrase. */
export function FirstResults({
  keyword: { id, phrase, country },
  store,
}: {
  keyword: Keyword;
  store: Store | undefined;
}) {
  return (
    <SerpCard
      key={id}
      keywordId={id}
      store={store}
      title={`${phrase} · ${formatCountry(country)}`}
      fallback={<Skeleton height={480} radius={14} />}
    />
  );
}
