import { apiPath } from '#web/base-path.ts';
import { Button, Modal, Select, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { CopyButton } from '#web/components/copy-button.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { tokensQuery } from '#web/queries/tokens.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import styles from './settings-page.module.css';

const lives = [0, 30, 90, 365] as const;
const msPerDay = 86_400_000;

/** Shows the new token once, with an example request. */
function Secret({ token, onClose }: { token: string; onClose: () => void }) {
  const { t } = useTranslation();
  const curl = `curl -H 'Authorization: Bearer ${token}' \\\n  ${location.origin}${apiPath}/apps`;
  return (
    <div className={styles.form}>
      <p>{t('tokens.once')}</p>
      <div className={styles.secret}>
        <code data-testid="token">{token}</code>
        <CopyButton text={token} label={t('tokens.secret')} />
      </div>
      <p className="muted">{t('tokens.try')}</p>
      <div className={styles.secret}>
        <pre tabIndex={0} aria-label={t('tokens.curl')}>
          {curl}
        </pre>
        <CopyButton text={curl} label={t('tokens.curl')} />
      </div>
      <div className={styles.dialogActions}>
        <Button onClick={onClose}>{t('tokens.kept')}</Button>
      </div>
    </div>
  );
}

const initialValues = { name: '', readOnly: true, days: '0' };

function useCreation() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isMounted = useIsMounted();
  return useMutation({
    mutationFn: ({ name, readOnly, days }: typeof initialValues) =>
      call('POST /tokens', {
        body: {
          name: name.trim(),
          readOnly,
          ...(Number(days) > 0 && {
            expiresAt: new Date(Date.now() + Number(days) * msPerDay).toISOString(),
          }),
        },
      }),
    onSuccess() {
      void queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
      if (!isMounted()) showSuccess(t('tokens.made'));
    },
    onError: useErrorAfterLeaving(),
  });
}

interface FormProps {
  create: ReturnType<typeof useCreation>;
  onClose: () => void;
}

function Form({ create, onClose }: FormProps) {
  const { t } = useTranslation();
  const form = useForm({ initialValues });
  return (
    <form className={styles.form} onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <TextInput
        label={t('tokens.name')}
        description={t('tokens.nameHint')}
        required
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Switch
        label={t('tokens.readOnlyLabel')}
        description={t('tokens.readOnlyHint')}
        {...form.getInputProps('readOnly', { type: 'checkbox' })}
      />
      <Select
        label={t('tokens.life')}
        data={lives.map((days) => ({
          value: String(days),
          label: days === 0 ? t('tokens.forever') : t('tokens.days', { count: days }),
        }))}
        allowDeselect={false}
        {...form.getInputProps('days')}
      />
      {create.error && <ErrorNotice error={create.error} />}
      <div className={styles.dialogActions}>
        <Button variant="default" disabled={create.isPending} onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={!form.values.name.trim()} loading={create.isPending}>
          {t('tokens.create')}
        </Button>
      </div>
    </form>
  );
}

/** It stays open while the token is created, because nobody could see the token later. */
export function CreateToken({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const create = useCreation();
  const token = create.data?.token;
  const isClosable = !create.isPending && !token;
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={token ? t('tokens.made') : t('tokens.create')}
      size="lg"
      closeOnClickOutside={isClosable}
      closeOnEscape={isClosable}
      closeButtonProps={{ 'aria-label': t('common.close'), disabled: create.isPending }}
    >
      {token ? <Secret token={token} onClose={close} /> : <Form create={create} onClose={close} />}
    </Modal>
  );
}
