import { withBasePath } from '#web/base-path.ts';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { SignedOutLayout } from '../../frame/signed-out-layout.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { isApiError } from '#web/describe-error.ts';
import { notifyOtherTabs } from '#web/open-workspace.ts';
import { useTitle } from '#web/components/use-title.ts';
import { authStateQuery, saveSignedInHint } from '#web/queries/session.ts';

export function SignInPage() {
  const { t } = useTranslation();
  useTitle(t('signIn.title'));
  const { next, ended } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const router = useRouter();
  const queryClient = useQueryClient();
  const { data: state } = useQuery(authStateQuery);
  const form = useForm({ initialValues: { email: '', password: '' } });
  const signIn = useMutation({
    mutationFn: (body: typeof form.values) => call('POST /auth/sign-in', { body }),
    async onSuccess({ accountRestored }) {
      queryClient.clear();
      saveSignedInHint(true);
      notifyOtherTabs();
      if (accountRestored) showSuccess(t('signIn.restored'));
      if (next) router.history.push(withBasePath(next));
      else await navigate({ to: '/' });
    },
  });
  return (
    <SignedOutLayout title={t('signIn.title')} lead={t(ended ? 'signIn.ended' : 'signIn.lead')}>
      <form onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
        <TextInput
          label={t('field.email')}
          type="email"
          autoComplete="username"
          required
          autoFocus
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t('field.password')}
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': t('field.showPassword') }}
          {...form.getInputProps('password')}
        />
        {signIn.error && (
          <ErrorNotice
            error={signIn.error}
            title={isApiError(signIn.error, 'unauthenticated') ? t('signIn.wrong') : undefined}
          />
        )}
        <Button type="submit" size="md" loading={signIn.isPending}>
          {t('signIn.submit')}
        </Button>
      </form>
      <p>
        <Link to="/forgot-password">{t('signIn.forgot')}</Link>
      </p>
      {state?.signUpOpen && (
        <p>
          {t('signIn.noAccount')}{' '}
          <Link to="/sign-up" search={{ next }}>
            {t('signIn.toSignUp')}
          </Link>
        </p>
      )}
      {state && !state.signUpOpen && (
        <p className="muted">
          {t(state.signUp === 'closed' ? 'signUp.only.closed' : 'signUp.only.invite')}
        </p>
      )}
    </SignedOutLayout>
  );
}
