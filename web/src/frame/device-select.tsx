import { useTranslation } from 'react-i18next';
import { DeviceIcon } from '../components/device-icon.tsx';
import { formatDevice } from '../format.ts';
import { OverlaySelect } from '../components/overlays/overlay-select.tsx';
import type { Scope } from '../scope.ts';
import styles from './scope-bar.module.css';
import type { DeviceChoice } from './use-device-choice.ts';

interface Props {
  scope: Scope;
  onChange: (next: Scope) => void;
  choice: DeviceChoice;
}

/** The devices with tracked keywords, and the selected one. */
export function DeviceSelect({ choice: { devices, initial }, scope, onChange }: Props) {
  const { t } = useTranslation();
  const shown = scope.device ?? initial;
  const all = initial ? [] : [{ value: '', label: t('scope.allDevices') }];
  return (
    <OverlaySelect
      aria-label={t('scope.device')}
      className={styles.device}
      leftSection={<DeviceIcon device={shown} size={15} />}
      value={shown ?? ''}
      onChange={(value) => onChange({ device: value || undefined })}
      data={[...all, ...devices.map((value) => ({ value, label: formatDevice(value) }))]}
      comboboxProps={{ width: 160, position: 'bottom-start', withinPortal: false }}
    />
  );
}
