import { Badge, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { eventTypes } from '#contract/choices.ts';
import { Ago } from '#web/components/ago.tsx';
import { formatInstant } from '#web/format.ts';
import type { Webhook } from '#web/queries/webhooks.ts';
import { WebhookButtons } from './webhook-buttons.tsx';
import { WebhookState } from './webhook-state.tsx';
import styles from './webhooks.module.css';

interface Props {
  webhook: Webhook;
  isChosen: boolean;
  canWrite: boolean;
}

function Last({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const last = webhook.lastDelivery;
  if (!last) return null;
  return (
    <span className="muted">
      {t('webhooks.last', {
        event: t(`event.${last.type}.title`),
        status: t(`webhooks.delivery.${last.state}`),
      })}
      {last.httpStatus !== null && ` (${last.httpStatus})`} <Ago instant={last.at} />
    </span>
  );
}

export function WebhookCard({ webhook, isChosen, canWrite }: Props) {
  const { t } = useTranslation();
  const { id, url, description, format, events, secretStrength, oldSecretsUntil } = webhook;
  const isAll = eventTypes.every((name) => events.includes(name));
  return (
    <li className={styles.card} data-chosen={isChosen || undefined}>
      <div className={styles.cardHead}>
        <div className={styles.names}>
          <h2 className={styles.url}>{description || new URL(url).host}</h2>
          <code className={styles.address}>{url}</code>
        </div>
        <Badge variant="light" color="gray">
          {t(`webhooks.format.${format}`)}
        </Badge>
      </div>
      <div className={styles.line}>
        <WebhookState webhook={webhook} />
        <Last webhook={webhook} />
      </div>
      <p className={styles.events}>
        {isAll
          ? t('webhooks.allEvents')
          : events.map((name) => t(`event.${name}.title`)).join(' · ')}
      </p>
      {secretStrength === 'weak' && <p className={styles.warning}>{t('webhooks.weak')}</p>}
      {oldSecretsUntil && (
        <p className="muted">
          {t('webhooks.twoSecrets', { until: formatInstant(oldSecretsUntil) })}
        </p>
      )}
      <div className={styles.buttons}>
        <Button
          size="xs"
          variant={isChosen ? 'light' : 'default'}
          className="touch"
          leftSection={<ListChecks size={14} aria-hidden />}
          aria-current={isChosen ? 'true' : undefined}
          renderRoot={(props: Record<string, unknown>) => (
            <Link
              to="."
              search={(before) => ({
                ...before,
                webhook: id,
                delivery: undefined,
                status: undefined,
                event: undefined,
              })}
              {...props}
            />
          )}
        >
          {t('webhooks.log')}
        </Button>
        <WebhookButtons webhook={webhook} canWrite={canWrite} />
      </div>
    </li>
  );
}
