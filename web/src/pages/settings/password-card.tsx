import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { isApiError } from '#web/describe-error.ts';
import { showError, showFailure, showSuccess } from '#web/components/toasts/toasts.tsx';
import { sessionQuery, sessionsQuery } from '#web/queries/session.ts';
import { useCredentialAccess } from '#web/queries/write-guard.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import styles from './settings-page.module.css';

export function PasswordCard() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const { canWrite, reason } = useCredentialAccess();
  const isMounted = useIsMounted();
  const form = useForm({
    initialValues: { current: '', next: '', again: '' },
    validate: {
      next: (value) => (value.length < 12 ? t('field.passwordShort') : null),
      again: (value, values) => (value === values.next ? null : t('password.differs')),
    },
  });
  const change = useMutation({
    mutationFn: ({ current, next }: typeof form.values) =>
      call('POST /auth/password', { body: { current, next } }),
    onSuccess({ otherSessionsRevoked }) {
      form.reset();
      showSuccess(t('password.changed', { count: otherSessionsRevoked }));
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    onError(error) {
      if (isMounted()) return;
      if (isApiError(error, 'unauthenticated')) showFailure(t('password.wrong'));
      else showError(error);
    },
  });
  const eye = { visibilityToggleButtonProps: { 'aria-label': t('field.showPassword') } };
  return (
    <Card title={t('password.title')} lead={t('password.lead')}>
      <form className={styles.form} onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <input
          type="hidden"
          name="username"
          autoComplete="username"
          value={session?.user.email ?? ''}
          readOnly
        />
        <div className={styles.inline}>
          <PasswordInput
            label={t('password.current')}
            autoComplete="current-password"
            required
            {...eye}
            {...form.getInputProps('current')}
          />
          <PasswordInput
            label={t('password.next')}
            autoComplete="new-password"
            required
            {...eye}
            {...form.getInputProps('next')}
          />
          <PasswordInput
            label={t('password.again')}
            autoComplete="new-password"
            required
            {...eye}
            {...form.getInputProps('again')}
          />
          <Button type="submit" disabled={!canWrite} title={reason} loading={change.isPending}>
            {t('password.submit')}
          </Button>
        </div>
        {change.error && (
          <ErrorNotice
            error={change.error}
            title={isApiError(change.error, 'unauthenticated') ? t('password.wrong') : undefined}
          />
        )}
      </form>
    </Card>
  );
}
