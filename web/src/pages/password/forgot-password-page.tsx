import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { SignedOutLayout } from '../../frame/signed-out-layout.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { useTitle } from '#web/components/use-title.ts';

/**
 * The response is the same whether or not the account exists. If no email can be sent, the API says
 * how to get a link.
 */
export function ForgotPasswordPage() {
  const { t } = useTranslation();
  useTitle(t('forgot.title'));
  const form = useForm({ initialValues: { email: '' } });
  const ask = useMutation({
    mutationFn: (body: typeof form.values) => call('POST /auth/password/forgot', { body }),
  });
  return (
    <SignedOutLayout
      title={t('forgot.title')}
      lead={ask.data ? t('forgot.done', { email: form.values.email }) : t('forgot.lead')}
    >
      {ask.data ? (
        <p role="status">{ask.data.hint === null ? t('forgot.look') : t('forgot.hint')}</p>
      ) : (
        <form onSubmit={form.onSubmit((values) => ask.mutate(values))}>
          <TextInput
            label={t('field.email')}
            type="email"
            autoComplete="username"
            required
            autoFocus
            {...form.getInputProps('email')}
          />
          {ask.error && <ErrorNotice error={ask.error} />}
          <Button type="submit" size="md" loading={ask.isPending}>
            {t('forgot.submit')}
          </Button>
        </form>
      )}
      <p>
        <Link to="/sign-in">{t('forgot.back')}</Link>
      </p>
    </SignedOutLayout>
  );
}
