import { Button, Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice.tsx';
import type { OperatedWorkspace } from '../../queries/operator.ts';
import styles from './operator-page.module.css';
import { useSuspend } from './use-operate.ts';

const mostCharacters = 500;

/** Says what follows, and asks why: the reason is kept with the workspace. */
export function SuspendDialog({
  workspace,
  onClose,
}: {
  workspace: OperatedWorkspace;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const suspend = useSuspend(onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('operator.suspendOne', { name: workspace.name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          suspend.mutate({ ...workspace, reason: reason.trim() });
        }}
      >
        <p>{t('operator.suspendWhat')}</p>
        <Textarea
          label={t('operator.reason')}
          description={t('operator.reasonHint')}
          required
          maxLength={mostCharacters}
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
            {t('operator.suspend')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
