import { useTranslation } from 'react-i18next';
import type { Run } from '../api.ts';
import { State } from './state.tsx';
import { storeTones } from './store-tones.ts';

type Health = Pick<Run['storeHealth'][number], 'state' | 'marker'>;

/** The health of a store or of a search provider, with the marker of its last probe. */
export function StoreState({ health: { state, marker } }: { health: Health }) {
  const { t } = useTranslation();
  return (
    <State tone={storeTones[state]}>
      {t(`stores.state.${state}`)}
      {marker && <code>{marker}</code>}
    </State>
  );
}
