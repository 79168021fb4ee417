import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Store } from '#web/api.ts';
import { lazyPart } from '#web/components/lazy-part.tsx';
import type { DraftWithTexts } from '#web/queries/listing-drafts.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import type { TakenTexts } from './take-texts.ts';

const ZipDialog = lazyPart(async () => (await import('./zip-dialog.tsx')).ZipDialog);

export type ZipTask = 'upload' | 'download';

interface Props {
  draft: DraftWithTexts;
  store: Store;
  /** Why neither is possible now. */
  why: string | undefined;
  onSaved: () => void;
}

/** Texts of a zip into the draft, and those of the draft into a zip. */
export function ZipButtons({ draft, store, why, onSaved }: Props) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const [task, setTask] = useState<ZipTask | null>(null);
  // A download writes into the texts that were uploaded, unless others are chosen.
  const [taken, setTaken] = useState<TakenTexts | null>(null);
  const button = (name: ZipTask, isDisabled: boolean, title: string | undefined) => (
    <Button
      className="touch"
      size="xs"
      variant="default"
      disabled={isDisabled}
      title={title}
      onClick={() => setTask(name)}
    >
      {t(`listingDrafts.zip.${name}`)}
    </Button>
  );
  return (
    <>
      {button('upload', why !== undefined || !canWrite, why ?? reason)}
      {button('download', why !== undefined || draft.texts.length === 0, why)}
      {task !== null && (
        <ZipDialog
          task={task}
          draft={draft}
          store={store}
          taken={taken}
          onTake={setTaken}
          onClose={() => setTask(null)}
          onFail={() => setTask(null)}
          onSaved={onSaved}
        />
      )}
    </>
  );
}
