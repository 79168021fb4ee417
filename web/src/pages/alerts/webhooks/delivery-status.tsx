import { useTranslation } from 'react-i18next';
import type { Delivery } from '../../../queries/webhooks.ts';
import styles from './webhooks.module.css';

/** How a delivery stands: a shape and a word. */
export function DeliveryStatus({ status }: { status: Delivery['status'] }) {
  const { t } = useTranslation();
  return (
    <span className={styles.state} data-state={status}>
      <span className={styles.dot} aria-hidden />
      {t(`webhooks.delivery.${status}`)}
    </span>
  );
}
