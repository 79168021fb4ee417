import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { SignedOutLayout } from '../../frame/signed-out-layout.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { useTitle } from '#web/components/use-title.ts';
import { isApiError } from '#web/describe-error.ts';
import { useLinkSecret } from '#web/link-secret.ts';
import { authStateQuery, sessionQuery } from '#web/queries/session.ts';

/**
 * The target of a confirmation link. It confirms on a click, because mail scanners open links too.
 */
export function ConfirmEmailPage() {
  const { t } = useTranslation();
  useTitle(t('confirm.title'));
  const token = useLinkSecret();
  const queryClient = useQueryClient();
  const { data: state } = useQuery(authStateQuery);
  const form = useForm({ initialValues: { password: '' } });
  const confirm = useMutation({
    mutationFn: ({ password }: typeof form.values) =>
      call('POST /auth/email/confirm', { body: { token: token!, ...(password && { password }) } }),
    onSuccess: () => queryClient.removeQueries({ queryKey: sessionQuery.queryKey }),
  });
  const isGone = token === null || isApiError(confirm.error, 'not_found');
  // If the reader is not signed in to this account, the password proves who created it.
  const isUnauthenticated = isApiError(confirm.error, 'unauthenticated');
  const needsPassword = state?.signedIn === false || isUnauthenticated;
  const isWrong = isUnauthenticated && confirm.variables?.password !== '';
  return (
    <SignedOutLayout
      title={t('confirm.title')}
      lead={t(confirm.isSuccess ? 'confirm.done' : isGone ? 'confirm.gone' : 'confirm.lead')}
    >
      {!isGone && !confirm.isSuccess && (
        <form onSubmit={form.onSubmit((values) => confirm.mutate(values))}>
          {needsPassword && (
            <PasswordInput
              label={t('field.password')}
              description={t('confirm.passwordHint')}
              autoComplete="current-password"
              required
              visibilityToggleButtonProps={{ 'aria-label': t('field.showPassword') }}
              {...form.getInputProps('password')}
              error={isWrong && t('confirm.wrong')}
            />
          )}
          {confirm.error && !isUnauthenticated && <ErrorNotice error={confirm.error} />}
          <Button type="submit" size="md" loading={confirm.isPending}>
            {t('confirm.submit')}
          </Button>
        </form>
      )}
      {needsPassword && !isGone && !confirm.isSuccess && (
        <p>
          {t('confirm.notMine')} <Link to="/forgot-password">{t('confirm.takeOver')}</Link>
        </p>
      )}
      <p role="status">
        {state?.signedIn ? (
          <Link to="/">{t('confirm.go')}</Link>
        ) : (
          <Link to="/sign-in">{t('signUp.toSignIn')}</Link>
        )}
      </p>
    </SignedOutLayout>
  );
}
