import { NumberInput, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Store } from '#web/api.ts';
import { storeCountries } from '#web/countries.ts';
import { formatCountry, formatDevice } from '#web/format.ts';
import { listDeviceIds } from '#stores/profiles.ts';
import styles from '../imports-exports-page.module.css';
import { fieldsOf, requiredFields, type CsvField, type CsvKind, type Mapping } from './mapping.ts';
import type { CsvTable } from './parse-csv.ts';
import { dateOrders } from './parse-values.ts';

interface Props {
  store: Store;
  table: CsvTable;
  kind: CsvKind;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}

/** Assigns columns to fields, with default values where there is no column. */
export function MappingForm({ store, table, kind, mapping, onChange }: Props) {
  const { t } = useTranslation();
  const countries = storeCountries.map((code) => ({ value: code, label: formatCountry(code) }));
  const devices = listDeviceIds(store);
  const fields = fieldsOf[kind].filter((field) => field !== 'device' || devices.length > 1);
  const setColumn = (field: CsvField, name: string | null) =>
    onChange({ ...mapping, columns: { ...mapping.columns, [field]: name } });
  const isRequired = (field: CsvField) => requiredFields[kind].includes(field);
  return (
    <fieldset className={styles.fields}>
      <legend>{t('csv.mapping')}</legend>
      {fields.map((field) => (
        <Select
          key={field}
          label={t(`csv.field.${field}`)}
          placeholder={isRequired(field) ? t('csv.choose') : t('csv.noColumn')}
          required={isRequired(field)}
          clearable={!isRequired(field)}
          clearButtonProps={{ 'aria-label': t('csv.noColumn') }}
          data={table.columns}
          value={mapping.columns[field]}
          onChange={(name) => setColumn(field, name)}
        />
      ))}
      {mapping.columns.country === null && (
        <Select
          label={t('csv.countryOfAll')}
          data={countries}
          value={mapping.country}
          onChange={(country) => country && onChange({ ...mapping, country })}
          searchable
          allowDeselect={false}
        />
      )}
      {devices.length > 1 && mapping.columns.device === null && (
        <Select
          label={t('csv.deviceOfAll')}
          data={devices.map((value) => ({ value, label: formatDevice(value) }))}
          value={mapping.device}
          onChange={(device) => device && onChange({ ...mapping, device })}
          allowDeselect={false}
        />
      )}
      <NumberInput
        label={t('csv.depthOfAll')}
        description={kind === 'history' ? t('csv.depthOfAllHint') : t('csv.depthOfNewHint')}
        placeholder={t('csv.notKnown')}
        value={mapping.depth ?? ''}
        onChange={(value) =>
          onChange({
            ...mapping,
            depth: typeof value === 'number' && value >= 1 && value <= 200 ? value : null,
          })
        }
        min={1}
        max={200}
        allowDecimal={false}
        clampBehavior="blur"
      />
      {kind === 'history' && (
        <Select
          label={t('csv.dates')}
          data={dateOrders.map((order) => ({ value: order, label: t(`csv.dates.${order}`) }))}
          value={mapping.dateOrder}
          onChange={(value) =>
            onChange({
              ...mapping,
              dateOrder: dateOrders.find((order) => order === value) ?? 'ymd',
            })
          }
          allowDeselect={false}
        />
      )}
    </fieldset>
  );
}
