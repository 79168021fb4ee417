import { Button, Modal, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { formatInstant } from '#web/format.ts';
import { useRestoreWorkspace } from '../../use-restore-workspace.ts';
import { sessionQuery } from '#web/queries/session.ts';
import { workspaceQuery } from '#web/queries/workspace.ts';
import { useCredentialAccess } from '#web/queries/write-guard.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import styles from './settings-page.module.css';

/** Asks to type the name of the workspace. */
function Confirm({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isMounted = useIsMounted();
  const [written, setWritten] = useState('');
  const remove = useMutation({
    mutationFn: () => call('DELETE /workspace', { body: { confirmName: written } }),
    onSuccess({ purgeAt }) {
      showSuccess(t('danger.done', { at: formatInstant(purgeAt) }));
      if (isMounted()) onClose();
      return queryClient.invalidateQueries();
    },
    onError: useErrorAfterLeaving(),
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        remove.mutate();
      }}
    >
      <p>{t('danger.what')}</p>
      <TextInput
        label={t('danger.confirm', { name })}
        required
        autoComplete="off"
        data-autofocus
        value={written}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
      {remove.error && <ErrorNotice error={remove.error} />}
      <div className={styles.dialogActions}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" color="red" disabled={written !== name} loading={remove.isPending}>
          {t('danger.delete')}
        </Button>
      </div>
    </form>
  );
}

export function DangerCard() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const [isOpen, dialog] = useDisclosure(false);
  const { data: workspace } = useQuery(workspaceQuery);
  const { canWrite, reason } = useCredentialAccess();
  const restore = useRestoreWorkspace();
  if (!session) return null;
  const isOwner = session.role === 'owner';
  const deleteAt = workspace?.deleteAt ?? null;
  const lead =
    deleteAt === null ? t('danger.lead') : t('danger.goes', { at: formatInstant(deleteAt) });
  return (
    <Card title={t('danger.title')} lead={isOwner ? lead : t('danger.ownersOnly')}>
      {isOwner && (
        <div className={styles.danger}>
          <Link to="/imports-exports">{t('danger.exportFirst')}</Link>
          {deleteAt === null ? (
            <Button
              color="red"
              variant="light"
              className="touch"
              disabled={!canWrite}
              title={reason}
              onClick={dialog.open}
            >
              {t('danger.delete')}
            </Button>
          ) : (
            <Button
              variant="default"
              className="touch"
              loading={restore.isPending}
              onClick={() => restore.mutate()}
            >
              {t('banner.deleted.keep')}
            </Button>
          )}
        </div>
      )}
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={t('danger.delete')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Confirm name={session.workspace.name} onClose={dialog.close} />
      </Modal>
    </Card>
  );
}
