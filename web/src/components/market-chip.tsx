import { nameOtherDevice } from '#stores/profiles.ts';
import { CountryChip } from './country-chip.tsx';
import { DeviceName } from './device-name.tsx';
import styles from './market-chip.module.css';

interface Props {
  of: { country: string; device?: string | undefined };
  named?: boolean;
}

/** The country of a keyword, and its device if it is not the first one of the store. */
export function MarketChip({ of: { country, device }, named = false }: Props) {
  return (
    <span className={styles.market} data-named={named || undefined}>
      <CountryChip code={country} named={named} />
      {device && nameOtherDevice(device) && <DeviceName device={device} isIcon={!named} />}
    </span>
  );
}
