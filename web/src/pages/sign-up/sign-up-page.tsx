import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { SignedOutLayout } from '../../frame/signed-out-layout.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { useTitle } from '#web/components/use-title.ts';
import { isApiError } from '#web/describe-error.ts';
import { notifyOtherTabs } from '#web/open-workspace.ts';
import { authStateQuery, saveSignedInHint } from '#web/queries/session.ts';

const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);

export function SignUpPage() {
  const { t } = useTranslation();
  useTitle(t('signUp.title'));
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { data: state } = useQuery(authStateQuery);
  const form = useForm({
    initialValues: { name: '', email: '', password: '', setupToken: '' },
    validate: { password: (value) => (value.length < 12 ? t('field.passwordShort') : null) },
  });
  const signUp = useMutation({
    mutationFn: ({ name, setupToken, ...body }: typeof form.values) =>
      call('POST /auth/sign-up', {
        body: {
          ...body,
          ...(name.trim() && { name: name.trim() }),
          ...(setupToken && { setupToken: setupToken.trim() }),
        },
      }),
    async onSuccess() {
      queryClient.clear();
      saveSignedInHint(true);
      notifyOtherTabs();
      await navigate({ to: '/welcome' });
    },
  });
  // The first account from another computer needs the setup token in the server log.
  const wantsToken =
    state?.needsFirstUser && (!isLoopback || isApiError(signUp.error, 'forbidden'));
  const closed = state !== undefined && !state.signUpOpen && !state.needsFirstUser;
  return (
    <SignedOutLayout
      title={state?.needsFirstUser ? t('signUp.first') : t('signUp.title')}
      lead={
        closed
          ? t(state.signUp === 'closed' ? 'signUp.only.closed' : 'signUp.only.invite')
          : state?.needsFirstUser
            ? t('signUp.firstLead')
            : t('signUp.lead')
      }
    >
      {!closed && (
        <form onSubmit={form.onSubmit((values) => signUp.mutate(values))}>
          <TextInput
            label={t('field.name')}
            autoComplete="name"
            maxLength={80}
            {...form.getInputProps('name')}
          />
          <TextInput
            label={t('field.email')}
            type="email"
            autoComplete="username"
            required
            maxLength={254}
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={t('field.password')}
            description={t('field.passwordHint')}
            autoComplete="new-password"
            required
            visibilityToggleButtonProps={{ 'aria-label': t('field.showPassword') }}
            {...form.getInputProps('password')}
          />
          {wantsToken && (
            <TextInput
              label={t('field.setupToken')}
              description={t('field.setupTokenHint')}
              autoComplete="off"
              {...form.getInputProps('setupToken')}
            />
          )}
          {signUp.error && <ErrorNotice error={signUp.error} />}
          <Button type="submit" size="md" loading={signUp.isPending}>
            {t('signUp.submit')}
          </Button>
        </form>
      )}
      {state && !state.needsFirstUser && (
        <p>
          {t('signUp.hasAccount')} <Link to="/sign-in">{t('signUp.toSignIn')}</Link>
        </p>
      )}
    </SignedOutLayout>
  );
}
