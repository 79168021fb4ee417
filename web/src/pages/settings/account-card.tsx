import { Button, Modal, PasswordInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { isApiError } from '#web/describe-error.ts';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { formatInstant } from '#web/format.ts';
import { leaveSession } from '#web/leave-session.ts';
import styles from './settings-page.module.css';

function Confirm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [password, setPassword] = useState('');
  const remove = useMutation({
    mutationFn: () => call('DELETE /auth/account', { body: { password } }),
    async onSuccess({ purgeAt }) {
      await leaveSession(queryClient, () => navigate({ to: '/sign-in' }));
      showSuccess(t('leave.done', { at: formatInstant(purgeAt) }));
    },
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        remove.mutate();
      }}
    >
      <p>{t('leave.what')}</p>
      <PasswordInput
        label={t('password.current')}
        autoComplete="current-password"
        required
        data-autofocus
        visibilityToggleButtonProps={{ 'aria-label': t('field.showPassword') }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {remove.error && (
        <ErrorNotice
          error={remove.error}
          title={isApiError(remove.error, 'unauthenticated') ? t('password.wrong') : undefined}
        />
      )}
      <div className={styles.dialogActions}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" color="red" disabled={password === ''} loading={remove.isPending}>
          {t('leave.delete')}
        </Button>
      </div>
    </form>
  );
}

/** The reader's own account, which can be deleted whatever the status of the workspace. */
export function AccountCard() {
  const { t } = useTranslation();
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <Card title={t('leave.title')} lead={t('leave.lead')}>
      <div className={styles.danger}>
        <Button color="red" variant="light" className="touch" onClick={dialog.open}>
          {t('leave.delete')}
        </Button>
      </div>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={t('leave.delete')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Confirm onClose={dialog.close} />
      </Modal>
    </Card>
  );
}
