import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { eventTypes, webhookKinds } from '#contract/choices.ts';
import { kindOf, type WebhookKind } from '#contract/receiver-kinds.ts';
import { call, type ResponseOf } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { readRefusal } from '#web/components/refused-fields.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import type { EventName } from '#web/queries/alerts.ts';
import { webhooksKey } from '#web/queries/webhooks.ts';
import { useSearchValue } from '#web/search-value.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import { describeIssue } from './describe-issue.ts';
import { EventBoxes } from './event-boxes.tsx';
import { minCharacters, SecretFields } from './secret-fields.tsx';
import { ShownSecret } from './shown-secret.tsx';
import styles from './webhooks.module.css';

const formats = ['auto', ...webhookKinds] as const;

interface Values {
  url: string;
  description: string;
  format: (typeof formats)[number];
  events: EventName[];
  secret: string | null;
}

/** Null while it depends on a text that is not a URL. */
function findKind({ url, format }: Values): WebhookKind | null {
  if (format !== 'auto') return format;
  return URL.canParse(url.trim()) ? kindOf(new URL(url.trim())) : null;
}

/** Chat services do not verify signatures. */
const isSigned = (values: Values): boolean => (findKind(values) ?? 'standard') === 'standard';

/** The secret that the dialog shows once: chats have none. */
const secretOf = ({ format, secret }: ResponseOf<'POST /webhooks'>): string | undefined =>
  format === 'standard' ? secret : undefined;

function useRegistration(onClose: () => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isMounted = useIsMounted();
  const [, setChosen] = useSearchValue('webhook');
  return useMutation({
    mutationFn: (sent: Values) => {
      const { url, description, format, events, secret } = sent;
      return call('POST /webhooks', {
        body: {
          url: url.trim(),
          events,
          ...(description.trim() && { description: description.trim() }),
          ...(format !== 'auto' && { format }),
          ...(secret !== null && isSigned(sent) && { secret }),
        },
      });
    },
    onSuccess(webhook) {
      void queryClient.invalidateQueries({ queryKey: webhooksKey });
      if (isMounted()) setChosen(String(webhook.id));
      if (isMounted() && secretOf(webhook) !== undefined) return;
      showSuccess(t('webhooks.added'));
      onClose();
    },
    onError: useErrorAfterLeaving(),
  });
}

interface FormProps {
  register: ReturnType<typeof useRegistration>;
  onClose: () => void;
}

function Form({ register, onClose }: FormProps) {
  const { t } = useTranslation();
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
      secret: (secret, of) =>
        secret === null || secret.length >= minCharacters || !isSigned(of)
          ? null
          : t('webhooks.secretRule'),
    },
  });
  const { values, setFieldValue } = form;
  const { fields, other } = readRefusal(register.error, (issue) => describeIssue(issue, t));
  const kind = findKind(values);
  return (
    <form
      className={styles.form}
      onSubmit={form.onSubmit(
        (sent) => register.mutate(sent),
        ({ url }) => url && form.getInputNode('url')?.focus(),
      )}
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
        error={form.errors.url ?? fields.url}
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
      {isSigned(values) && (
        <SecretFields
          value={values.secret}
          error={form.errors.secret ?? fields.secret}
          onChange={(secret) => setFieldValue('secret', secret)}
        />
      )}
      {other !== null && <ErrorNotice error={other} />}
      <div className={styles.dialogButtons}>
        <Button variant="default" className="touch" disabled={register.isPending} onClick={onClose}>
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

interface Props {
  opened: boolean;
  onClose: () => void;
  /** Returns the focus: the first webhook replaces the button that opened the dialog. */
  onClosed: () => void;
}

/** It stays open while the webhook is created, because nobody could see its secret later. */
export function RegisterDialog({ opened, onClose, onClosed }: Props) {
  const { t } = useTranslation();
  const register = useRegistration(onClose);
  const secret = register.data && secretOf(register.data);
  const isClosable = !register.isPending && !secret;
  const close = () => {
    onClose();
    register.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      returnFocus={false}
      onExitTransitionEnd={onClosed}
      title={secret ? t('webhooks.added') : t('webhooks.add')}
      size="lg"
      closeOnClickOutside={isClosable}
      closeOnEscape={isClosable}
      closeButtonProps={{ 'aria-label': t('common.close'), disabled: register.isPending }}
    >
      {secret ? (
        <ShownSecret secret={secret} onClose={close} />
      ) : (
        <Form register={register} onClose={close} />
      )}
    </Modal>
  );
}
