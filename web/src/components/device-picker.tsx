import { Checkbox, Group } from '@mantine/core';
import { formatDevice } from '../format.ts';

interface Props {
  label: string;
  description: string;
  devices: readonly string[];
  value: string[];
  onChange: (value: string[]) => void;
}

export function DevicePicker({ label, description, devices, value, onChange }: Props) {
  return (
    <Checkbox.Group label={label} description={description} value={value} onChange={onChange}>
      <Group mt="xs" gap="lg">
        {devices.map((device) => (
          <Checkbox key={device} value={device} label={formatDevice(device)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
