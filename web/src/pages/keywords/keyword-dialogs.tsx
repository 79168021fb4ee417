import { lazy, Suspense, useState } from 'react';
import type { Keyword } from '#web/api.ts';

const AddKeywords = lazy(async () => ({
  default: (await import('./add-keywords.tsx')).AddKeywords,
}));
const CopyMarket = lazy(async () => ({ default: (await import('./copy-market.tsx')).CopyMarket }));
const RemovedKeywords = lazy(async () => ({
  default: (await import('./removed-keywords.tsx')).RemovedKeywords,
}));

export type KeywordDialog = 'add' | 'copy' | 'removed';

interface Props {
  appId: number;
  keywords: readonly Keyword[];
  knownTags: string[];
  /** The country of the frame. */
  country: string | undefined;
  /** The device of the frame. */
  device: string | undefined;
  initialCountries: string[];
  opened: KeywordDialog | null;
  onClose: () => void;
}

/** Loaded on first use and kept mounted for the closing animation. */
export function KeywordDialogs({
  appId,
  keywords,
  knownTags,
  country,
  device,
  initialCountries,
  opened,
  onClose,
}: Props) {
  const [last, setLast] = useState<KeywordDialog | null>(opened);
  if (opened !== null && opened !== last) setLast(opened);
  const own = { appId, opened: opened !== null, onClose };
  const shared = { ...own, knownTags };
  return (
    <Suspense>
      {last === 'add' && (
        <AddKeywords {...shared} initialCountries={initialCountries} initialDevice={device} />
      )}
      {last === 'copy' && <CopyMarket {...shared} keywords={keywords} initialCountry={country} />}
      {last === 'removed' && <RemovedKeywords {...own} />}
    </Suspense>
  );
}
