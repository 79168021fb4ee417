import { Button, Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { showSuccess } from '#web/components/toasts.tsx';
import { webhooksKey, type Webhook } from '#web/queries/webhooks.ts';
import { EventBoxes } from './event-boxes.tsx';
import styles from './webhooks.module.css';

/** Edits URL, name and events. Only changed fields are sent. */
export function EditDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: {
      url: webhook.url,
      description: webhook.description ?? '',
      events: webhook.events,
    },
  });
  const { values, setFieldValue } = form;
  const save = useMutation({
    mutationFn: () =>
      call('PATCH /webhooks/{id}', {
        params: { id: webhook.id },
        body: {
          ...(values.url.trim() !== webhook.url && { url: values.url.trim() }),
          description: values.description.trim() || null,
          events: values.events,
        },
      }),
    onSuccess() {
      void queryClient.invalidateQueries({ queryKey: webhooksKey });
      showSuccess(t('webhooks.changed'));
      onClose();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
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
        />
        <TextInput
          label={t('webhooks.name')}
          description={t('webhooks.nameHint')}
          maxLength={200}
          {...form.getInputProps('description')}
        />
        <EventBoxes value={values.events} onChange={(events) => setFieldValue('events', events)} />
        {save.error && <ErrorNotice error={save.error} />}
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
