import { useTranslation } from 'react-i18next';
import { State, type Tone } from '../../../components/state.tsx';
import { formatAgo } from '../../../format.ts';
import type { Webhook } from '../../../queries/webhooks.ts';

const tones: Record<Webhook['state'], Tone> = { healthy: 'good', failing: 'bad', disabled: 'off' };

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
    <State tone={tones[state]} wraps>
      <strong>{t(`webhooks.state.${state}`)}</strong>
      {why && <span className="muted">{why}</span>}
    </State>
  );
}
