import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  value?: string;
  onChange?: (value: string) => void;
  error?: string;
}

/** The time zones of the browser. An unlisted zone stays selected. */
export function ZoneSelect({ value = 'UTC', onChange, error }: Props) {
  const { t } = useTranslation();
  const zones = useMemo(
    () => [...new Set(['UTC', value, ...Intl.supportedValuesOf('timeZone')])],
    [value],
  );
  return (
    <Select
      label={t('settings.zone')}
      description={t('settings.zoneHint')}
      data={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      value={value}
      onChange={(zone) => zone && onChange?.(zone)}
      error={error}
      searchable
      limit={60}
      allowDeselect={false}
      nothingFoundMessage={t('settings.zoneNone')}
    />
  );
}
