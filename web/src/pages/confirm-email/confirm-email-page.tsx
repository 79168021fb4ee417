import { Button } from '@mantine/core';
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
  const confirm = useMutation({
    mutationFn: () => call('POST /auth/email/confirm', { body: { token: token! } }),
    onSuccess: () => queryClient.removeQueries({ queryKey: sessionQuery.queryKey }),
  });
  const isGone = token === null || isApiError(confirm.error, 'not_found');
  return (
    <Door title={t('confirm.title')} lead={t(confirm.isSuccess ? 'confirm.done' : isGone ? 'confirm.gone' : 'confirm.lead')}>
      {!isGone && !confirm.isSuccess && (
        <>
          {confirm.error && <ErrorNotice error={confirm.error} />}
          <Button size="md" fullWidth loading={confirm.isPending} onClick={() => confirm.mutate()}>
            {t('confirm.submit')}
          </Button>
        </>
      )}
      <p role="status">{state?.signedIn ? <Link to="/">{t('confirm.go')}</Link> : <Link to="/sign-in">{t('signUp.toSignIn')}</Link>}</p>
    </Door>
  );
}
