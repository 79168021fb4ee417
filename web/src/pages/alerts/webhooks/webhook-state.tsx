import { useTranslation } from 'react-i18next';
import { State, type Tone } from '#web/components/state.tsx';
import { formatAgo } from '#web/format.ts';
import type { Webhook } from '#web/queries/webhooks.ts';

const tones: Record<Webhook['state'], Tone> = { healthy: 'good', failing: 'bad', disabled: 'off' };

/** The state of a webhook as a word and a shape, with the reason if it fails. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const { state, disabledBy, failingSince } = webhook;
  if (state === 'healthy' && webhook.lastDelivery === null)
    return (
      <State tone="off" wraps>
        <strong>{t('webhooks.state.unused')}</strong>
      </State>
    );
  const why =
    state === 'disabled' && disabledBy
      ? t(`webhooks.disabledBy.${disabledBy}`)
      : failingSince
        ? t('webhooks.failingSince', { since: formatAgo(failingSince) })
        : null;
  return (
    <State tone={tones[state]} wraps>
      <strong>{t(`webhooks.state.${state}`)}</strong>
      {why && <span className="muted">{why}</span>}
    </State>
  );
}
