import { Laptop, Smartphone, Tablet, type LucideIcon } from 'lucide-react';
import { deviceOf, type Device } from '#stores/profiles.ts';

const icons: Record<Device['form'], LucideIcon> = {
  phone: Smartphone,
  tablet: Tablet,
  computer: Laptop,
};

/** The form of a device, a decoration beside its name. */
export function DeviceIcon({ device, size }: { device: string; size: number }) {
  const Icon = icons[deviceOf(device)?.form ?? 'phone'];
  return <Icon size={size} aria-hidden />;
}
