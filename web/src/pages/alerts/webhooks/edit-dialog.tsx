import { Button, Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { readRefusal } from '#web/components/refused-fields.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { useFocusReturn } from '#web/use-focus-return.ts';
import { useIsCovered } from '#web/use-is-covered.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import { saveVersioned } from '#web/conflict/save-versioned.ts';
import { webhooksKey, type Webhook } from '#web/queries/webhooks.ts';
import { describeIssue } from './describe-issue.ts';
import { EventBoxes } from './event-boxes.tsx';
import styles from './webhooks.module.css';

const toState = ({ url, description, events, etag }: Webhook) => ({
  fields: { url, description: description ?? '', events },
  etag,
});
type Fields = ReturnType<typeof toState>['fields'];

/**
 * Edits URL, name and events, unless somebody else has changed the same since the dialog was
 * opened. Only changed fields are sent.
 */
export function EditDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation();
  useFocusReturn();
  const isCovered = useIsCovered();
  const isMounted = useIsMounted();
  const queryClient = useQueryClient();
  const [base] = useState(() => toState(webhook));
  const form = useForm<Fields>({ initialValues: base.fields });
  const { values, setFieldValue } = form;
  const labels = {
    url: t('webhooks.url'),
    description: t('webhooks.name'),
    events: t('webhooks.events'),
  };
  const formatField = (name: keyof Fields, of: Fields) =>
    name === 'events' ? of.events.map((event) => t(`event.${event}.title`)).join(', ') : of[name];
  const save = useMutation({
    mutationFn: () =>
      saveVersioned({
        base,
        mine: {
          url: values.url.trim(),
          description: values.description.trim(),
          events: values.events,
        },
        read: async () => toState(await call('GET /webhooks/{id}', { params: { id: webhook.id } })),
        write: ({ url, description, events }, { ifMatch, changed }) =>
          call('PATCH /webhooks/{id}', {
            params: { id: webhook.id },
            body: {
              ...(changed.includes('url') && { url }),
              ...(changed.includes('description') && { description: description || null }),
              ...(changed.includes('events') && { events }),
            },
            ifMatch,
          }),
        describe: (name, theirs, mine) => ({
          label: labels[name],
          theirs: formatField(name, theirs),
          mine: formatField(name, mine),
        }),
      }),
    onSuccess({ kind }) {
      if (kind === 'cancelled') return;
      void queryClient.invalidateQueries({ queryKey: webhooksKey });
      if (kind === 'saved') showSuccess(t('webhooks.changed'));
      if (isMounted()) onClose();
    },
    onError: useErrorAfterLeaving(),
  });
  const { fields, other } = readRefusal(save.error, (issue) => describeIssue(issue, t));
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={!isCovered}
      title={t('webhooks.edit')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form className={styles.form} onSubmit={form.onSubmit(() => save.mutate())}>
        <TextInput
          type="url"
          label={t('webhooks.url')}
          description={webhook.url.includes('…') && t('webhooks.urlHidden')}
          required
          maxLength={2_000}
          data-autofocus
          {...form.getInputProps('url')}
          error={fields.url}
        />
        <TextInput
          label={t('webhooks.name')}
          description={t('webhooks.nameHint')}
          maxLength={200}
          {...form.getInputProps('description')}
        />
        <EventBoxes value={values.events} onChange={(events) => setFieldValue('events', events)} />
        {other !== null && <ErrorNotice error={other} />}
        <div className={styles.dialogButtons}>
          <Button variant="default" className="touch" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            className="touch"
            loading={save.isPending}
            disabled={values.events.length === 0}
          >
            {t('webhooks.save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
