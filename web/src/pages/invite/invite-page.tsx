import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../api.ts';
import { Door } from '../../components/door.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useTitle } from '../../components/use-title.ts';
import { isApiError } from '../../describe-error.ts';
import { useLinkSecret } from '../../link-secret.ts';
import { authStateQuery, rememberSignedIn } from '../../queries/session.ts';

/** Where the link of an invitation leads: a new account, or the password of the one the address has. */
export function InvitePage() {
  const { t } = useTranslation();
  useTitle(t('invite.title'));
  const token = useLinkSecret();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { data: state } = useQuery(authStateQuery);
  const form = useForm({ initialValues: { name: '', password: '' } });
  const accept = useMutation({
    mutationFn: ({ name, password }: typeof form.values) =>
      call('POST /auth/invites/{token}/accept', {
        params: { token: token! },
        body: { password, ...(name.trim() && { name: name.trim() }) },
      }),
    async onSuccess() {
      queryClient.clear();
      rememberSignedIn(true);
      await navigate({ to: '/' });
    },
  });
  const isClosed = state?.signUp === 'closed';
  const isGone = isClosed || token === null || isApiError(accept.error, 'not_found');
  // What an owner can do about it is no use to who is not in yet.
  const isFull =
    isApiError(accept.error, 'quota_members') || isApiError(accept.error, 'no_live_plan');
  return (
    <Door
      title={t('invite.title')}
      lead={isClosed ? t('signUp.only.closed') : isGone ? t('invite.gone') : t('invite.lead')}
    >
      {!isGone && (
        <form onSubmit={form.onSubmit((values) => accept.mutate(values))}>
          <TextInput
            label={t('field.name')}
            autoComplete="name"
            maxLength={80}
            {...form.getInputProps('name')}
          />
          <PasswordInput
            label={t('field.password')}
            description={t('invite.passwordHint')}
            autoComplete="new-password"
            required
            visibilityToggleButtonProps={{ 'aria-label': t('field.showPassword') }}
            {...form.getInputProps('password')}
          />
          {isFull && <p role="alert">{t('invite.full')}</p>}
          {accept.error && !isFull && (
            <ErrorNotice
              error={accept.error}
              title={isApiError(accept.error, 'unauthenticated') ? t('invite.wrong') : undefined}
            />
          )}
          <Button type="submit" size="md" loading={accept.isPending}>
            {t('invite.submit')}
          </Button>
        </form>
      )}
      <p>
        {t('signUp.hasAccount')} <Link to="/sign-in">{t('signUp.toSignIn')}</Link>
      </p>
    </Door>
  );
}
