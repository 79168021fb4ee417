import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { readRefusal } from '#web/components/refused-fields.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { useFocusReturn } from '#web/use-focus-return.ts';
import { useIsMounted } from '#web/use-is-mounted.ts';
import { webhooksKey, type Webhook } from '#web/queries/webhooks.ts';
import { describeIssue } from './describe-issue.ts';
import { minCharacters, SecretFields } from './secret-fields.tsx';
import { ShownSecret } from './shown-secret.tsx';
import styles from './webhooks.module.css';

/**
 * Rotates the secret. The old one also signs for 24 hours, so that no receiver fails meanwhile. The
 * dialog stays open while the secret is created, because nobody could see the secret later.
 */
export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation();
  useFocusReturn();
  const isMounted = useIsMounted();
  const queryClient = useQueryClient();
  const [own, setOwn] = useState<string | null>(null);
  const rotate = useMutation({
    mutationFn: () =>
      call('POST /webhooks/{id}/secret', {
        params: { id: webhook.id },
        body: own === null ? {} : { secret: own },
      }),
    onSuccess(response) {
      void queryClient.invalidateQueries({ queryKey: webhooksKey });
      if (isMounted() && response.secret !== undefined) return;
      showSuccess(t('webhooks.rotated'));
      if (isMounted()) onClose();
    },
    onError: useErrorAfterLeaving(),
  });
  const secret = rotate.data?.secret;
  const isClosable = !rotate.isPending && !secret;
  const { fields, other } = readRefusal(rotate.error, (issue) => describeIssue(issue, t));
  return (
    <Modal
      opened
      onClose={onClose}
      title={secret ? t('webhooks.rotated') : t('webhooks.rotate')}
      size="lg"
      closeOnClickOutside={isClosable}
      closeOnEscape={isClosable}
      closeButtonProps={{ 'aria-label': t('common.close'), disabled: rotate.isPending }}
    >
      {secret ? (
        <ShownSecret secret={secret} onClose={onClose} />
      ) : (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            rotate.mutate();
          }}
        >
          <p>{t('webhooks.rotateText')}</p>
          <SecretFields value={own} error={fields.secret} onChange={setOwn} />
          {other !== null && <ErrorNotice error={other} />}
          <div className={styles.dialogButtons}>
            <Button
              variant="default"
              className="touch"
              disabled={rotate.isPending}
              onClick={onClose}
            >
              {t('common.cancel')}
            </Button>
            <Button
              type="submit"
              className="touch"
              loading={rotate.isPending}
              disabled={own !== null && own.length < minCharacters}
            >
              {t('webhooks.rotate')}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  );
}
