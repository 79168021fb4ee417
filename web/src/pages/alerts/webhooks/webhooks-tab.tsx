import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { webhooksQuery } from '#web/queries/webhooks.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useSearchValue } from '#web/search-value.ts';
import { useReplacedFocus } from '#web/use-focus-return.ts';
import { DeliveriesCard } from './deliveries-card.tsx';
import { RegisterDialog } from './register-dialog.tsx';
import { VerifyCard } from './verify-card.tsx';
import { WebhookCard } from './webhook-card.tsx';
import styles from './webhooks.module.css';

export function WebhooksTab() {
  const { t } = useTranslation();
  const query = useQuery(webhooksQuery);
  const { canWrite, reason } = useWriteAccess();
  const [isOpen, setOpen] = useState(false);
  const [chosen] = useSearchValue('webhook');
  const [button, focusButton] = useReplacedFocus<HTMLButtonElement>();
  const register = (
    <Button
      ref={button}
      className="touch"
      disabled={!canWrite}
      leftSection={<Plus size={16} aria-hidden />}
      onClick={() => setOpen(true)}
    >
      {t('webhooks.add')}
    </Button>
  );
  return (
    <div className="stack">
      <Loaded query={query} height={220}>
        {({ items }) => {
          const webhook =
            items.find(({ id }) => String(id) === chosen) ??
            (items.length === 1 ? items[0] : undefined);
          if (items.length === 0) {
            return (
              <EmptyState
                icon={WebhookIcon}
                title={t('webhooks.emptyTitle')}
                text={reason ?? t('webhooks.emptyText')}
              >
                {register}
              </EmptyState>
            );
          }
          return (
            <>
              <div className={styles.bar}>
                <span className="muted">
                  {reason ?? t('webhooks.count', { count: items.length })}
                </span>
                {register}
              </div>
              <ul className={styles.cards} aria-label={t('alerts.tab.webhooks')}>
                {items.map((item) => (
                  <WebhookCard
                    key={item.id}
                    webhook={item}
                    isChosen={item.id === webhook?.id}
                    canWrite={canWrite}
                  />
                ))}
              </ul>
              {webhook && <DeliveriesCard key={webhook.id} webhook={webhook} canWrite={canWrite} />}
            </>
          );
        }}
      </Loaded>
      <VerifyCard />
      <RegisterDialog opened={isOpen} onClose={() => setOpen(false)} onClosed={focusButton} />
    </div>
  );
}
