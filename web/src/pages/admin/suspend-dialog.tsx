import { Button, Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { useFocusReturn } from '#web/use-focus-return.ts';
import type { AdminWorkspace } from '#web/queries/admin.ts';
import styles from './admin-page.module.css';
import { useSuspend } from './use-workspace-mutations.ts';

const maxCharacters = 500;

/** Explains the consequences and asks for a reason, which is saved with the workspace. */
export function SuspendDialog({
  workspace,
  onClose,
}: {
  workspace: AdminWorkspace;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  useFocusReturn();
  const [reason, setReason] = useState('');
  const suspend = useSuspend(onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('admin.suspendOne', { name: workspace.name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          suspend.mutate({ ...workspace, reason: reason.trim() });
        }}
      >
        <p>{t('admin.suspendWhat')}</p>
        <Textarea
          label={t('admin.reason')}
          description={t('admin.reasonHint')}
          required
          maxLength={maxCharacters}
          autosize
          minRows={2}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {suspend.error && <ErrorNotice error={suspend.error} />}
        <div className={styles.dialogActions}>
          <Button variant="default" className="touch" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            color="red"
            className="touch"
            disabled={!reason.trim()}
            loading={suspend.isPending}
          >
            {t('admin.suspend')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
