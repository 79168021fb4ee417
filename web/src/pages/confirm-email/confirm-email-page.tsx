import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../api.ts';
import { Door } from '../../components/door.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useTitle } from '../../components/use-title.ts';
import { isApiError } from '../../describe-error.ts';
import { useLinkSecret } from '../../link-secret.ts';
import { authStateQuery, sessionQuery } from '../../queries/session.ts';

/** Where the link of a confirmation leads. A press confirms, not the opening: mail scanners open links too. */
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
  // Signed in to another account, or to none: the mail alone does not say who made the account.
  const isStranger = isApiError(confirm.error, 'unauthenticated');
  const asksPassword = state?.signedIn === false || isStranger;
  const isWrong = isStranger && confirm.variables?.password !== '';
  return (
    <Door
      title={t('confirm.title')}
      lead={t(confirm.isSuccess ? 'confirm.done' : isGone ? 'confirm.gone' : 'confirm.lead')}
    >
      {!isGone && !confirm.isSuccess && (
        <form onSubmit={form.onSubmit((values) => confirm.mutate(values))}>
          {asksPassword && (
            <PasswordInput
              label={t('field.password')}
              description={t('confirm.passwordHint')}
              autoComplete="current-password"
              required
              error={isWrong && t('confirm.wrong')}
              visibilityToggleButtonProps={{ 'aria-label': t('field.showPassword') }}
              {...form.getInputProps('password')}
            />
          )}
          {confirm.error && !isStranger && <ErrorNotice error={confirm.error} />}
          <Button type="submit" size="md" loading={confirm.isPending}>
            {t('confirm.submit')}
          </Button>
        </form>
      )}
      {asksPassword && !isGone && !confirm.isSuccess && (
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
    </Door>
  );
}
