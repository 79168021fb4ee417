import { useState } from 'react';
import type { Keyword } from '#web/api.ts';
import { lazyPart } from '#web/components/lazy-part.tsx';

const AddKeywords = lazyPart(async () => (await import('./add-keywords.tsx')).AddKeywords);
const CopyMarket = lazyPart(async () => (await import('./copy-market.tsx')).CopyMarket);
const RemovedKeywords = lazyPart(
  async () => (await import('./removed-keywords.tsx')).RemovedKeywords,
);

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
  const onFail = () => {
    setLast(null);
    onClose();
  };
  const own = { appId, opened: opened !== null, onClose, onFail };
  const shared = { ...own, knownTags };
  return (
    <>
      {last === 'add' && (
        <AddKeywords {...shared} initialCountries={initialCountries} initialDevice={device} />
      )}
      {last === 'copy' && <CopyMarket {...shared} keywords={keywords} initialCountry={country} />}
      {last === 'removed' && <RemovedKeywords {...own} />}
    </>
  );
}
