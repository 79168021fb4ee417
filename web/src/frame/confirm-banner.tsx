import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '../api.ts';
import { showSuccess, showError } from '../components/toasts/toasts.tsx';
import { sessionQuery } from '../queries/session.ts';
import { useCredentialAccess } from '../queries/write-guard.ts';
import styles from './workspace-banner.module.css';

/** Shown until the email address is confirmed, because no email is sent to it before. */
export function ConfirmBanner() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const { canWrite, reason } = useCredentialAccess();
  const email = session?.user.email;
  const resend = useMutation({
    mutationFn: () => call('POST /auth/email/resend'),
    onSuccess: () => showSuccess(t('banner.confirm.sent', { email })),
    onError: showError,
  });
  if (!session?.confirmationPending) return null;
  return (
    <div className={styles.banner} data-calm role="status">
      <Mail size={16} aria-hidden />
      <p>
        <strong>{t('banner.confirm.title')}</strong> {t('banner.confirm.text', { email })}
      </p>
      <Button
        size="compact-sm"
        variant="subtle"
        className="touch"
        disabled={!canWrite}
        title={reason}
        loading={resend.isPending}
        onClick={() => resend.mutate()}
      >
        {t('banner.confirm.again')}
      </Button>
    </div>
  );
}
