import { useTranslation } from 'react-i18next';
import type { Run } from '../api.ts';
import { State, type Tone } from './state.tsx';

type Health = Run['storeHealth'][number];

export const storeTones: Record<Health['state'], Tone> = { ok: 'good', degraded: 'warn', unknown: 'off' };

/** How a store answered its known search, and by what it was seen. */
export function StoreState({ health: { state, marker } }: { health: Health }) {
  const { t } = useTranslation();
  return (
    <State tone={storeTones[state]}>
      {t(`stores.state.${state}`)}
      {marker && <code>{marker}</code>}
    </State>
  );
}
