import { Laptop, MonitorSmartphone, Smartphone, Tablet, type LucideIcon } from 'lucide-react';
import { deviceOf, type Device } from '#stores/profiles.ts';
import styles from './market-chip.module.css';

const icons: Record<Device['form'], LucideIcon> = {
  phone: Smartphone,
  tablet: Tablet,
  computer: Laptop,
};

/** The form of a device, or of all devices, as a decoration beside its name. */
export function DeviceIcon({ device, size }: { device: string | undefined; size: number }) {
  if (device === undefined) return <MonitorSmartphone size={size} aria-hidden />;
  const form = deviceOf(device)?.form ?? 'phone';
  const Icon = icons[form];
  return <Icon size={size} aria-hidden className={styles.icon} data-form={form} />;
}
