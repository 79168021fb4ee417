import { useTranslation } from 'react-i18next';
import { formatAgo } from '../../../format.ts';
import type { Webhook } from '../../../queries/webhooks.ts';
import styles from './webhooks.module.css';

/** Whether it arrives, in a word and a shape, and why when it does not. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const { state, disabledBy, failingSince } = webhook;
  const why =
    state === 'disabled' && disabledBy
      ? t(`webhooks.disabledBy.${disabledBy}`)
      : failingSince
        ? t('webhooks.failingSince', { since: formatAgo(failingSince) })
        : null;
  return (
    <span className={styles.state} data-state={state}>
      <span className={styles.dot} aria-hidden />
      <strong>{t(`webhooks.state.${state}`)}</strong>
      {why && <span className="muted">{why}</span>}
    </span>
  );
}
