import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { ConfirmButton } from '#web/components/confirm-button.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { showError, showSuccess } from '#web/components/toasts/toasts.tsx';
import { deleteIfThere } from '#web/delete-if-there.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { useFocusReturn } from '#web/use-focus-return.ts';
import { useIsCovered } from '#web/use-is-covered.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import { draftsQuery, type ListingDraft } from '#web/queries/listing-drafts.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import styles from './listing-drafts-page.module.css';
import { useRename } from './use-rename.ts';

type NameTask = 'create' | 'copy' | 'rename';

interface Props {
  appId: number;
  drafts: readonly ListingDraft[];
  chosen: ListingDraft | undefined;
  onChoose: (id: number | null) => void;
}

/** Chooses a draft; creates, copies, renames and removes one, or makes it the current one. */
export function DraftBar({ appId, drafts, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const [task, setTask] = useState<NameTask | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const isMounted = useIsMounted();
  const refresh = () => queryClient.invalidateQueries({ queryKey: draftsQuery(appId).queryKey });
  const makeCurrent = useMutation({
    mutationFn: (id: number) =>
      call('PATCH /listing-drafts/{id}', { params: { id }, body: { current: true } }),
    onError: showError,
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (id: number) =>
      deleteIfThere(call('DELETE /listing-drafts/{id}', { params: { id } })),
    onSuccess(_wasThere, id) {
      if (isMounted() && chosen?.id === id) onChoose(null);
    },
    onError: showError,
    onSettled: refresh,
  });
  const hasRemoved = !remove.isIdle;
  useEffect(() => {
    // The focus was in the buttons of the deleted draft.
    if (hasRemoved && document.activeElement === document.body)
      bar.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [hasRemoved, chosen?.id]);
  const button = (name: NameTask) => (
    <Button
      key={name}
      size="xs"
      variant="default"
      className="touch"
      disabled={!canWrite}
      title={reason}
      onClick={() => setTask(name)}
    >
      {t(`listingDrafts.${name}`)}
    </Button>
  );
  return (
    <div ref={bar} className={styles.tools}>
      {chosen && (
        <Select
          aria-label={t('listingDrafts.draft')}
          allowDeselect={false}
          data={drafts.map(({ id, name, current }) => ({
            value: String(id),
            label: current ? t('listingDrafts.currentName', { name }) : name,
          }))}
          value={String(chosen.id)}
          onChange={(value) => onChoose(Number(value))}
        />
      )}
      {button('create')}
      {chosen && [button('copy'), button('rename')]}
      {chosen && !chosen.current && (
        <Button
          size="xs"
          variant="default"
          className="touch"
          disabled={!canWrite}
          title={reason}
          loading={makeCurrent.isPending}
          onClick={() => makeCurrent.mutate(chosen.id)}
        >
          {t('listingDrafts.makeCurrent')}
        </Button>
      )}
      {chosen && (
        <ConfirmButton
          key={chosen.id}
          question={t('listingDrafts.removeQuestion', { name: chosen.name })}
          sure={t('listingDrafts.removeSure')}
          disabled={!canWrite}
          why={reason}
          loading={remove.isPending}
          onConfirm={() => remove.mutate(chosen.id)}
        >
          {t('listingDrafts.remove')}
        </ConfirmButton>
      )}
      {task && (
        <NameDialog
          appId={appId}
          task={task}
          chosen={chosen}
          refresh={refresh}
          onClose={() => setTask(null)}
          onSaved={({ id }) => {
            onChoose(id);
            setTask(null);
          }}
        />
      )}
    </div>
  );
}

interface DialogProps {
  appId: number;
  task: NameTask;
  chosen: ListingDraft | undefined;
  refresh: () => Promise<void>;
  onClose: () => void;
  onSaved: (draft: Pick<ListingDraft, 'id'>) => void;
}

function NameDialog({ appId, task, chosen, refresh, onClose, onSaved }: DialogProps) {
  const { t } = useTranslation();
  useFocusReturn();
  const isCovered = useIsCovered();
  const isMounted = useIsMounted();
  const [name, setName] = useState(task === 'rename' ? (chosen?.name ?? '') : '');
  const rename = useRename(appId);
  // Others may rename it while the dialog is open.
  const [base] = useState(chosen);
  const save = useMutation({
    mutationFn: () =>
      task === 'rename' && base
        ? rename(base, name.trim())
        : call('POST /apps/{id}/listing-drafts', {
            params: { id: appId },
            body: { name, ...(task === 'copy' && base && { copyOf: base.id }) },
          }),
    async onSuccess(draft) {
      if (!draft) return;
      if (!isMounted()) showSuccess(t('listingDrafts.saved'));
      await refresh();
      if (isMounted()) onSaved(draft);
    },
    onError: useErrorAfterLeaving(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') save.mutate();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={!isCovered}
      title={t(`listingDrafts.${task}`)}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form className={styles.form} onSubmit={submit}>
        <TextInput
          label={t('listingDrafts.name')}
          value={name}
          maxLength={60}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {save.error && <ErrorNotice error={save.error} />}
        <Button
          type="submit"
          className="touch"
          loading={save.isPending}
          disabled={name.trim() === ''}
        >
          {t('listingDrafts.saveName')}
        </Button>
      </form>
    </Modal>
  );
}
