import { Button, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import styles from './settings-page.module.css';

const empty = { clientId: '', teamId: '', keyId: '', privateKey: '' };
const identifiers = ['clientId', 'teamId', 'keyId'] as const;

interface Props {
  /** Closes a form that replaces a key. */
  onDone?: () => void;
}

/** The private key is only kept until it is sent. */
export function PopularityKeyForm({ onDone }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const isMounted = useIsMounted();
  const [body, setBody] = useState(empty);
  const save = useMutation({
    mutationFn: () => call('PUT /popularity/credentials', { body }),
    gcTime: 0,
    onSuccess: async () => {
      setBody(empty);
      await queryClient.invalidateQueries({ queryKey: ['popularity'] });
      if (isMounted()) onDone?.();
    },
    onError: useErrorAfterLeaving(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const change = (name: keyof typeof empty, value: string) => setBody({ ...body, [name]: value });
  return (
    <form className={styles.form} onSubmit={submit}>
      {identifiers.map((name) => (
        <TextInput
          key={name}
          required
          label={t(`popularitySync.${name}`)}
          value={body[name]}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change(name, event.currentTarget.value)}
        />
      ))}
      <Textarea
        required
        label={t('popularitySync.privateKey')}
        description={t('popularitySync.privateKeyHint')}
        placeholder="-----BEGIN EC PRIVATE KEY-----"
        rows={6}
        value={body.privateKey}
        maxLength={2_000}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => change('privateKey', event.currentTarget.value)}
      />
      {save.error && <ErrorNotice error={save.error} />}
      <div className={styles.buttons}>
        <Button
          type="submit"
          className="touch"
          title={reason}
          disabled={!canWrite}
          loading={save.isPending}
        >
          {t('popularitySync.save')}
        </Button>
        {onDone && (
          <Button variant="default" className="touch" onClick={onDone}>
            {t('popularitySync.cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}
