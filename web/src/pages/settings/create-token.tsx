import { apiPath } from '#web/base-path.ts';
import { Button, Modal, Select, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { CopyButton } from '#web/components/copy-button.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { tokensQuery } from '#web/queries/tokens.ts';
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

interface FormProps {
  onMade: (token: string) => void;
  onClose: () => void;
}

function Form({ onMade, onClose }: FormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name: '', readOnly: true, days: '0' } });
  const create = useMutation({
    mutationFn: ({ name, readOnly, days }: typeof form.values) =>
      call('POST /tokens', {
        body: {
          name: name.trim(),
          readOnly,
          ...(Number(days) > 0 && {
            expiresAt: new Date(Date.now() + Number(days) * msPerDay).toISOString(),
          }),
        },
      }),
    onSuccess(response) {
      void queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onMade(response.token!);
    },
  });
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
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={!form.values.name.trim()} loading={create.isPending}>
          {t('tokens.create')}
        </Button>
      </div>
    </form>
  );
}

export function CreateToken({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const [token, setToken] = useState<string | null>(null);
  const close = () => {
    onClose();
    setToken(null);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={token ? t('tokens.made') : t('tokens.create')}
      size="lg"
      closeOnClickOutside={token === null}
      closeOnEscape={token === null}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {token ? (
        <Secret token={token} onClose={close} />
      ) : (
        <Form onMade={setToken} onClose={close} />
      )}
    </Modal>
  );
}
