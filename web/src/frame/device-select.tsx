import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listDeviceIds } from '#stores/profiles.ts';
import type { App } from '../api.ts';
import { DeviceIcon } from '../components/device-icon.tsx';
import { formatDevice } from '../format.ts';
import { marketsQuery } from '../queries/apps.ts';
import type { Scope } from '../scope.ts';
import styles from './scope-bar.module.css';

interface Props {
  scope: Scope;
  onChange: (next: Scope) => void;
  app: App;
  /** For pages that show one device, by default the first one. Other pages show all devices. */
  isOne: boolean;
}

/** The devices with tracked keywords, shown only if there is more than one. */
function useShownDevices(app: App, scope: Scope, isOne: boolean): string[] {
  const { data } = useQuery(marketsQuery(app.id));
  const tracked = new Set(data?.items.flatMap(({ devices }) => devices));
  const devices = listDeviceIds(app.store);
  if (isOne) return devices;
  const shown = devices.filter((device) => tracked.has(device) || device === scope.device);
  return shown.length > 1 || scope.device ? shown : [];
}

export function DeviceSelect({ app, isOne, scope, onChange }: Props) {
  const { t } = useTranslation();
  const devices = useShownDevices(app, scope, isOne);
  const shown = scope.device ?? (isOne ? devices[0] : undefined);
  const all = isOne ? [] : [{ value: '', label: t('scope.allDevices') }];
  if (all.length + devices.length < 2) return null;
  return (
    <Select
      aria-label={t('scope.device')}
      className={styles.device}
      leftSection={<DeviceIcon device={shown ?? devices[0]!} size={15} />}
      value={shown ?? ''}
      onChange={(value) => onChange({ device: value || undefined })}
      data={[...all, ...devices.map((value) => ({ value, label: formatDevice(value) }))]}
      allowDeselect={false}
      comboboxProps={{ width: 160, position: 'bottom-start', withinPortal: false }}
    />
  );
}
