import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventTypes, webhookKinds } from '#contract/choices.ts';
import { kindOf, type WebhookKind } from '#contract/receiver-kinds.ts';
import { call } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import type { EventName } from '#web/queries/alerts.ts';
import { webhooksKey } from '#web/queries/webhooks.ts';
import { useSearchValue } from '#web/search-value.ts';
import { EventBoxes } from './event-boxes.tsx';
import { minCharacters, SecretFields } from './secret-fields.tsx';
import { ShownSecret } from './shown-secret.tsx';
import styles from './webhooks.module.css';

const formats = ['auto', ...webhookKinds] as const;

/** Null while the text is not a URL. */
function detectKind(text: string): WebhookKind | null {
  return URL.canParse(text.trim()) ? kindOf(new URL(text.trim())) : null;
}

interface Values {
  url: string;
  description: string;
  format: (typeof formats)[number];
  events: EventName[];
  secret: string | null;
}

function Form({
  onMade,
  onClose,
}: {
  onMade: (secret: string | undefined) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [, setChosen] = useSearchValue('webhook');
  const form = useForm<Values>({
    initialValues: {
      url: '',
      description: '',
      format: 'auto',
      events: [...eventTypes],
      secret: null,
    },
    validate: {
      url: (url) => (/^https?:\/\/\S+$/.test(url.trim()) ? null : t('webhooks.urlRule')),
      secret: (secret) =>
        secret === null || secret.length >= minCharacters ? null : t('webhooks.secretRule'),
    },
  });
  const register = useMutation({
    mutationFn: ({ url, description, format, events, secret }: Values) =>
      call('POST /webhooks', {
        body: {
          url: url.trim(),
          events,
          ...(description.trim() && { description: description.trim() }),
          ...(format !== 'auto' && { format }),
          ...(secret !== null && { secret }),
        },
      }),
    onSuccess(response) {
      void queryClient.invalidateQueries({ queryKey: webhooksKey });
      setChosen(String(response.id));
      // Chat services do not verify signatures.
      onMade(response.format === 'standard' ? response.secret : undefined);
    },
  });
  const { values, setFieldValue } = form;
  const kind = values.format === 'auto' ? detectKind(values.url) : values.format;
  return (
    <form
      className={styles.form}
      onSubmit={form.onSubmit((sent) => register.mutate(sent))}
      noValidate
    >
      <TextInput
        type="url"
        label={t('webhooks.url')}
        description={t('webhooks.urlHint')}
        placeholder="https://"
        required
        data-autofocus
        maxLength={2_000}
        {...form.getInputProps('url')}
      />
      <TextInput
        label={t('webhooks.name')}
        description={t('webhooks.nameHint')}
        maxLength={200}
        {...form.getInputProps('description')}
      />
      <Select
        label={t('webhooks.formatLabel')}
        description={
          values.format === 'auto' && kind
            ? t('webhooks.detected', { format: t(`webhooks.format.${kind}`) })
            : t('webhooks.formatHint')
        }
        data={formats.map((value) => ({ value, label: t(`webhooks.format.${value}`) }))}
        allowDeselect={false}
        {...form.getInputProps('format')}
      />
      <EventBoxes value={values.events} onChange={(events) => setFieldValue('events', events)} />
      {(kind === null || kind === 'standard') && (
        <SecretFields
          value={values.secret}
          onChange={(secret) => setFieldValue('secret', secret)}
        />
      )}
      {form.errors.secret && <p className={styles.warning}>{form.errors.secret}</p>}
      {register.error && <ErrorNotice error={register.error} />}
      <div className={styles.dialogButtons}>
        <Button variant="default" className="touch" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          type="submit"
          className="touch"
          loading={register.isPending}
          disabled={!values.url.trim() || values.events.length === 0}
        >
          {t('webhooks.add')}
        </Button>
      </div>
    </form>
  );
}

export function RegisterDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => {
    onClose();
    setSecret(null);
  };
  const made = (shown: string | undefined) => {
    if (shown !== undefined) return setSecret(shown);
    showSuccess(t('webhooks.added'));
    close();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={secret ? t('webhooks.added') : t('webhooks.add')}
      size="lg"
      closeOnClickOutside={secret === null}
      closeOnEscape={secret === null}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {secret ? (
        <ShownSecret secret={secret} onClose={close} />
      ) : (
        <Form onMade={made} onClose={close} />
      )}
    </Modal>
  );
}
