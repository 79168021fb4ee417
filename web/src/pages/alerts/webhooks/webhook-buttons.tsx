import { Button, Menu } from '@mantine/core';
import { Ellipsis, KeyRound, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Webhook } from '#web/queries/webhooks.ts';
import { useCredentialAccess } from '#web/queries/write-guard.ts';
import { EditDialog } from './edit-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { TestResult } from './test-result.tsx';
import { useWebhookChanges } from './use-webhook-changes.ts';

type DialogName = 'edit' | 'rotate' | 'remove';

export function WebhookButtons({ webhook, canWrite }: { webhook: Webhook; canWrite: boolean }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const { change, remove, test } = useWebhookChanges(webhook);
  // A lapsed workspace may still remove a webhook.
  const { canWrite: canRemove } = useCredentialAccess();
  const close = () => setDialog(null);
  const { enabled, events } = webhook;
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            className="touch"
            disabled={!canWrite || !enabled}
            loading={test.isPending}
            leftSection={<Send size={14} aria-hidden />}
          >
            {t('webhooks.test')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('webhooks.testWith')}</Menu.Label>
          {events.map((name) => (
            <Menu.Item key={name} onClick={() => test.mutate(name)}>
              {t(`event.${name}.title`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button
        size="xs"
        variant="default"
        className="touch"
        disabled={!canWrite}
        loading={change.isPending}
        leftSection={enabled ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
        onClick={() => change.mutate({ enabled: !enabled })}
      >
        {enabled ? t('webhooks.pause') : t('webhooks.resume')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            className="touch"
            disabled={!canRemove}
            leftSection={<Ellipsis size={14} aria-hidden />}
          >
            {t('webhooks.more')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            disabled={!canWrite}
            leftSection={<Pencil size={14} aria-hidden />}
            onClick={() => setDialog('edit')}
          >
            {t('webhooks.edit')}
          </Menu.Item>
          <Menu.Item
            disabled={!canWrite}
            leftSection={<KeyRound size={14} aria-hidden />}
            onClick={() => setDialog('rotate')}
          >
            {t('webhooks.rotate')}
          </Menu.Item>
          <Menu.Item
            className="danger-item"
            leftSection={<Trash2 size={14} aria-hidden />}
            onClick={() => setDialog('remove')}
          >
            {t('webhooks.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {test.data && <TestResult outcome={test.data} />}
      {dialog === 'edit' && <EditDialog webhook={webhook} onClose={close} />}
      {dialog === 'rotate' && <RotateDialog webhook={webhook} onClose={close} />}
      {dialog === 'remove' && (
        <RemoveDialog
          webhook={webhook}
          isPending={remove.isPending}
          onRemove={() => remove.mutate()}
          onClose={close}
        />
      )}
    </>
  );
}
