import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { SignedOutLayout } from '../../frame/signed-out-layout.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { useTitle } from '#web/components/use-title.ts';
import { isApiError } from '#web/describe-error.ts';
import { useLinkSecret } from '#web/link-secret.ts';
import { forgetDrafts } from '#web/drafts.ts';
import { saveSignedInHint } from '#web/queries/session.ts';

/** The target of a reset link, which works once within an hour. */
export function ResetPasswordPage() {
  const { t } = useTranslation();
  useTitle(t('reset.title'));
  const token = useLinkSecret();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { password: '', again: '' },
    validate: {
      password: (value) => (value.length < 12 ? t('field.passwordShort') : null),
      again: (value, values) => (value === values.password ? null : t('password.differs')),
    },
  });
  const reset = useMutation({
    mutationFn: ({ password }: typeof form.values) =>
      call('POST /auth/password/reset', { body: { token: token!, password } }),
    async onSuccess() {
      queryClient.clear();
      forgetDrafts();
      saveSignedInHint(false);
      showSuccess(t('reset.done'));
      await navigate({ to: '/sign-in' });
    },
  });
  const isGone = token === null || isApiError(reset.error, 'not_found');
  const eye = { visibilityToggleButtonProps: { 'aria-label': t('field.showPassword') } };
  return (
    <SignedOutLayout title={t('reset.title')} lead={isGone ? t('reset.gone') : t('reset.lead')}>
      {!isGone && (
        <form onSubmit={form.onSubmit((values) => reset.mutate(values))}>
          <PasswordInput
            label={t('password.next')}
            description={t('field.passwordHint')}
            autoComplete="new-password"
            required
            {...eye}
            {...form.getInputProps('password')}
          />
          <PasswordInput
            label={t('password.again')}
            autoComplete="new-password"
            required
            {...eye}
            {...form.getInputProps('again')}
          />
          {reset.error && <ErrorNotice error={reset.error} />}
          <Button type="submit" size="md" loading={reset.isPending}>
            {t('reset.submit')}
          </Button>
        </form>
      )}
      <p>
        <Link to="/forgot-password">{t('reset.another')}</Link>
      </p>
    </SignedOutLayout>
  );
}
