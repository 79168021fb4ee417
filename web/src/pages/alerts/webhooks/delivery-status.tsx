import { useTranslation } from 'react-i18next';
import { State, type Tone } from '#web/components/state.tsx';
import type { Delivery } from '#web/queries/webhooks.ts';

const tones: Record<Delivery['state'], Tone> = {
  pending: 'busy',
  succeeded: 'good',
  failed: 'bad',
  abandoned: 'off',
};

/** The delivery status as a shape and a word. */
export function DeliveryStatus({ status }: { status: Delivery['state'] }) {
  const { t } = useTranslation();
  return <State tone={tones[status]}>{t(`webhooks.delivery.${status}`)}</State>;
}
