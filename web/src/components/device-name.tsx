import { formatDevice } from '../format.ts';
import { DeviceIcon } from './device-icon.tsx';
import styles from './market-chip.module.css';

/** A device as icon and name. On its own, the icon has the name as a title. */
export function DeviceName({ device, isIcon = false }: { device: string; isIcon?: boolean }) {
  const name = formatDevice(device);
  return (
    <span className={styles.device} title={isIcon ? name : undefined}>
      <DeviceIcon device={device} size={14} />
      <span className={isIcon ? 'sr-only' : undefined}>{name}</span>
    </span>
  );
}
