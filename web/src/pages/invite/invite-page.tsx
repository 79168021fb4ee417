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
import { useLinkSecret } from '#web/link-secret.ts';
import { notifyOtherTabs } from '#web/open-workspace.ts';
import { authStateQuery, saveSignedInHint } from '#web/queries/session.ts';

/**
 * The target of an invitation link: creates an account or asks for the password of the existing
 * one.
 */
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
      saveSignedInHint(true);
      notifyOtherTabs();
      await navigate({ to: '/' });
    },
  });
  const isClosed = state?.signUp === 'closed';
  const isGone = isClosed || token === null || isApiError(accept.error, 'not_found');
  // The remedy of the error is for owners, so it is replaced here.
  const isFull =
    isApiError(accept.error, 'quota_members') || isApiError(accept.error, 'no_live_plan');
  return (
    <SignedOutLayout
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
    </SignedOutLayout>
  );
}
