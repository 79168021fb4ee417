import { Button, Loader, Modal, Progress, Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatOf } from '#listing-files/formats.ts';
import { formatNames, type FormatName } from '#listing-files/listing.ts';
import { splitRequests } from '#listing-files/split-requests.ts';
import { callVersioned, type Store } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { FilePicker } from '#web/components/file-picker.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { useFocusReturn } from '#web/use-focus-return.ts';
import { download } from '#web/download.ts';
import {
  draftQuery,
  zipPreviewQuery,
  type DraftWithTexts,
  type ListingInZip,
  type ZipPreview,
} from '#web/queries/listing-drafts.ts';
import { readBase64 } from '#web/read-base64.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import styles from '../listing-drafts-page.module.css';
import { FolderButton } from './folder-button.tsx';
import { takeTexts, type Picked, type TakenTexts } from './take-texts.ts';
import type { ZipTask } from './zip-buttons.tsx';
import { ZipChanges } from './zip-changes.tsx';
import { ZipProblem } from './zip-problem.tsx';

interface Props {
  task: ZipTask;
  draft: DraftWithTexts;
  store: Store;
  taken: TakenTexts | null;
  onTake: (taken: TakenTexts | null) => void;
  onClose: () => void;
  onSaved: () => void;
}

const listingKey = ({ tool, root }: ListingInZip): string => `${tool} ${root}`;

/** Shows what a zip or folder has and how it differs from the draft, before texts go either way. */
export function ZipDialog({ task, draft, store, taken, onTake, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  useFocusReturn();
  const isMounted = useIsMounted();
  const [choice, setChoice] = useState<ListingInZip>();
  const take = useMutation({ mutationFn: takeTexts });
  const pick = (picked: Picked) => {
    setChoice(undefined);
    onTake(null);
    // Only called for the last one of those that were chosen.
    take.mutate(picked, { onSuccess: onTake });
  };
  const compared = useQuery(zipPreviewQuery(draft, taken, choice));
  const closeOwn = () => {
    if (isMounted()) onClose();
  };
  const save = useSaveZip(draft, () => {
    onSaved();
    closeOwn();
  });
  const write = useDownloadZip(draft.id, closeOwn);
  const found = compared.data;
  const fitting = found?.found.filter((one) => one.store === store) ?? [];
  const nameOf = ({ tool, root }: ListingInZip) =>
    t('listingDrafts.zip.listing', { tool, root: root || t('listingDrafts.zip.whole') });
  const isBusy = save.isPending || write.isPending;
  const isReady = found?.chosen != null && found.faults.length === 0;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t(`listingDrafts.zip.${task}`)}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <div className={styles.form}>
        <FilePicker
          label={t(`listingDrafts.zip.${task === 'upload' ? 'pick' : 'pickTarget'}`)}
          hint={t(`listingDrafts.zip.${task === 'upload' ? 'pickHint' : 'pickTargetHint'}`)}
          accept=".zip,application/zip"
          chosen={taken?.name}
          disabled={isBusy}
          onPick={pick}
        />
        <FolderButton disabled={isBusy} onPick={pick} />
        {taken && (
          <p className={styles.hint}>
            {t('listingDrafts.zip.taken', { count: taken.texts })}{' '}
            {taken.others > 0 && t('listingDrafts.zip.left', { count: taken.others })}
          </p>
        )}
        {take.error && <ZipProblem error={take.error} />}
        {(take.isPending || compared.isFetching) && (
          <p role="status" className={styles.tools}>
            <Loader size="xs" aria-hidden /> {t('listingDrafts.zip.reading')}
          </p>
        )}
        {compared.error && <ZipProblem error={compared.error} />}
        {found && fitting.length > 1 && (
          <Select
            label={t('listingDrafts.zip.chooseListing')}
            allowDeselect={false}
            data={fitting.map((one) => ({ value: listingKey(one), label: nameOf(one) }))}
            value={found.chosen && listingKey(found.chosen)}
            onChange={(key) => {
              const { tool, root } = fitting.find((one) => listingKey(one) === key)!;
              setChoice({ tool, root });
            }}
          />
        )}
        {found && fitting.length === 1 && (
          <p>
            {t('listingDrafts.zip.found')}: <bdi>{nameOf(fitting[0]!)}</bdi>{' '}
            <span className="muted">{fitting[0]!.locales.join(', ')}</span>
          </p>
        )}
        {found?.chosen && <ZipChanges task={task} preview={found} />}
        {task === 'upload' && isReady && found.locales.length > 0 && (
          <Button
            className="touch"
            loading={save.isPending}
            onClick={() => save.mutate(found.locales)}
          >
            {t('listingDrafts.zip.save')}
          </Button>
        )}
        {save.isPending && (
          <Progress value={save.percent} animated aria-label={t('listingDrafts.zip.saving')} />
        )}
        {save.error && <ErrorNotice error={save.error} isWrite />}
        {task === 'download' && isReady && (
          <Button
            className="touch"
            loading={write.isPending}
            onClick={() => write.mutate({ zip: taken?.zip ?? null, listing: found.chosen })}
          >
            {t('listingDrafts.zip.download')}
          </Button>
        )}
        {task === 'download' && (
          <NewFolder
            store={store}
            isPending={write.isPending}
            onDownload={(tool) => write.mutate({ zip: null, listing: { tool, root: '' } })}
          />
        )}
        {write.isPending && <p role="status">{t('listingDrafts.zip.writing')}</p>}
        {write.error && <ZipProblem error={write.error} />}
      </div>
    </Modal>
  );
}

function NewFolder({
  store,
  isPending,
  onDownload,
}: {
  store: Store;
  isPending: boolean;
  onDownload: (tool: FormatName) => void;
}) {
  const { t } = useTranslation();
  const tools = formatNames.filter((name) => formatOf(name).store === store);
  const [tool, setTool] = useState(tools[0]!);
  return (
    <section aria-labelledby="new-folder">
      <h3 id="new-folder" className={styles.sub}>
        {t('listingDrafts.zip.newFolder')}
      </h3>
      <div className={styles.tools}>
        <Select
          aria-label={t('listingDrafts.zip.tool')}
          allowDeselect={false}
          data={tools}
          value={tool}
          onChange={(name) => setTool(tools.find((one) => one === name)!)}
        />
        <Button
          className="touch"
          variant="default"
          loading={isPending}
          onClick={() => onDownload(tool)}
        >
          {t('listingDrafts.zip.downloadNew')}
        </Button>
      </div>
    </section>
  );
}

/** Saves over the state that was compared, never over a later one. */
function useSaveZip(draft: DraftWithTexts, onSaved: () => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [percent, setPercent] = useState(0);
  const save = useMutation({
    async mutationFn(locales: ZipPreview['locales']) {
      const requests = splitRequests(locales);
      let ifMatch = draft.etag;
      for (const [at, request] of requests.entries()) {
        const saved = await callVersioned('PUT /listing-drafts/{id}/texts', {
          params: { id: draft.id },
          body: { locales: request },
          ifMatch,
        });
        ifMatch = saved.etag;
        setPercent((100 * (at + 1)) / requests.length);
      }
    },
    async onSettled() {
      await queryClient.fetchQuery({ ...draftQuery(draft.id), staleTime: 0 });
      void queryClient.invalidateQueries({ queryKey: ['listing-drafts', draft.id, 'versions'] });
    },
    onSuccess() {
      showSuccess(t('listingDrafts.zip.saved'));
      onSaved();
    },
    onError: useErrorAfterLeaving(),
  });
  return { ...save, percent };
}

function useDownloadZip(id: number, onDone: () => void) {
  return useMutation({
    async mutationFn({ zip, listing }: { zip: Blob | null; listing: ListingInZip | null }) {
      const body = {
        ...(zip && { zip: await readBase64(zip) }),
        ...(listing && { listing }),
      };
      const { signal } = new AbortController();
      await download(`/listing-drafts/${id}/zip`, () => undefined, signal, body);
    },
    onSuccess: onDone,
    onError: useErrorAfterLeaving(),
  });
}
