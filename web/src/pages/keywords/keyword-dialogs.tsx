import { lazy, Suspense, useState } from 'react';
import type { Keyword } from '../../api.ts';

const AddKeywords = lazy(async () => ({
  default: (await import('./add-keywords.tsx')).AddKeywords,
}));
const CopyMarket = lazy(async () => ({ default: (await import('./copy-market.tsx')).CopyMarket }));

export type KeywordDialog = 'add' | 'copy';

interface Props {
  appId: number;
  keywords: readonly Keyword[];
  knownTags: string[];
  /** The frame's. */
  country: string | undefined;
  initialCountries: string[];
  opened: KeywordDialog | null;
  onClose: () => void;
}

/** Fetched when first asked for; they stay, so that closing can be seen. */
export function KeywordDialogs({
  appId,
  keywords,
  knownTags,
  country,
  initialCountries,
  opened,
  onClose,
}: Props) {
  const [last, setLast] = useState<KeywordDialog | null>(opened);
  if (opened !== null && opened !== last) setLast(opened);
  const shared = { appId, knownTags, opened: opened !== null, onClose };
  return (
    <Suspense>
      {last === 'add' && <AddKeywords {...shared} initialCountries={initialCountries} />}
      {last === 'copy' && <CopyMarket {...shared} keywords={keywords} initialCountry={country} />}
    </Suspense>
  );
}
