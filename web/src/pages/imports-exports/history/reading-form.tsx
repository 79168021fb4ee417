import { NumberInput, Select, TagsInput, Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import {
  historyDateFormats,
  historyEncodings,
  historyFields,
  historyLayouts,
} from '#contract/choices.ts';
import { utcDayOf } from '#lib/dates.ts';
import { listDeviceIds } from '#stores/profiles.ts';
import type { App } from '#web/api.ts';
import { DayField } from '#web/components/day-field.tsx';
import { storeCountries } from '#web/countries.ts';
import { formatCountry, formatDevice } from '#web/format.ts';
import type { HistoryPreview, Reading } from '#web/queries/history-imports.ts';
import styles from '../imports-exports-page.module.css';
import { fieldLabels } from './use-named-fields.ts';

interface Props {
  app: App;
  preview: HistoryPreview;
  reading: Reading;
  onChange: (reading: Reading) => void;
}

const delimiters = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const;
const decimals = { '.': 'point', ',': 'comma' } as const;
const keysOf = <T extends object>(names: T) => Object.keys(names) as (keyof T)[];

/** Omits members without a value, which the API has as absent. */
function withMember<Name extends keyof Reading>(
  reading: Reading,
  name: Name,
  value: Reading[Name] | null,
): Reading {
  const { [name]: _, ...others } = reading;
  return value === null ? others : { ...others, [name]: value };
}

/** How the file is read. Every choice shows in the preview at once. */
export function ReadingForm({ app, preview, reading, onChange }: Props) {
  const { t } = useTranslation();
  const set = <Name extends keyof Reading>(name: Name, value: Reading[Name] | null) =>
    onChange(withMember(reading, name, value));
  const isAccount = reading.preset === 'asobeast-account';
  const layout = reading.layout ?? 'rows';
  const columns = reading.columns ?? {};
  const notFound = reading.notFound ?? [];
  const fields = historyFields.filter(
    (field) =>
      !(field === 'phrase' && layout === 'keyword_columns') &&
      !(field === 'position' && layout !== 'rows') &&
      !(field === 'date' && layout === 'day_columns'),
  );
  const devices = listDeviceIds(app.store);
  const hasDays = layout === 'day_columns' || columns.date !== undefined;
  return (
    <>
      {!isAccount && (
        <fieldset className={styles.fields}>
          <legend>{t('csv.mapping')}</legend>
          <Select
            label={t(fieldLabels.layout)}
            data={historyLayouts.map((value) => ({ value, label: t(`history.layout.${value}`) }))}
            value={layout}
            onChange={(value) => set('layout', historyLayouts.find((one) => one === value) ?? null)}
            allowDeselect={false}
          />
          {fields.map((field) => (
            <Select
              key={field}
              label={t(`history.field.${field}`)}
              placeholder={t('csv.noColumn')}
              clearable
              searchable
              limit={200}
              clearButtonProps={{ 'aria-label': t('csv.noColumn') }}
              data={preview.columns}
              value={columns[field] ?? null}
              onChange={(name) => {
                const { [field]: _, ...others } = columns;
                set('columns', name === null ? others : { ...others, [field]: name });
              }}
            />
          ))}
        </fieldset>
      )}
      <fieldset className={styles.fields}>
        <legend>{t('history.values')}</legend>
        {!isAccount && hasDays && (
          <Select
            label={t(fieldLabels.dateFormat)}
            description={preview.dateFormats.length > 1 ? t('history.ambiguousDates') : undefined}
            placeholder={t('history.choose')}
            data={historyDateFormats.map((value) => ({
              value,
              label: t(`history.dates.${value}`),
            }))}
            value={reading.dateFormat ?? null}
            onChange={(value) =>
              set('dateFormat', historyDateFormats.find((one) => one === value) ?? null)
            }
          />
        )}
        {!isAccount && !hasDays && (
          <DayField
            label={t(fieldLabels.date)}
            day={reading.date ?? ''}
            max={utcDayOf(new Date())}
            onChoose={(day) => set('date', day)}
            onClear={() => set('date', null)}
          />
        )}
        {!isAccount && columns.country === undefined && (
          <Select
            label={t(fieldLabels.country)}
            placeholder={t('history.choose')}
            data={storeCountries.map((code) => ({ value: code, label: formatCountry(code) }))}
            value={reading.country ?? null}
            onChange={(value) => set('country', value)}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('csv.noColumn') }}
          />
        )}
        {devices.length > 1 && columns.device === undefined && (
          <Select
            label={t(fieldLabels.device)}
            data={devices.map((value) => ({ value, label: formatDevice(value) }))}
            value={reading.device ?? devices[0]!}
            onChange={(value) => set('device', value)}
            allowDeselect={false}
          />
        )}
        <NumberInput
          label={t(fieldLabels.depth)}
          description={t('csv.depthOfAllHint')}
          placeholder={t('csv.notKnown')}
          value={reading.depth ?? ''}
          onChange={(value) =>
            set('depth', typeof value === 'number' && value >= 1 && value <= 200 ? value : null)
          }
          min={1}
          max={200}
          allowDecimal={false}
          clampBehavior="blur"
        />
        {!isAccount && (
          <>
            <TagsInput
              label={t(fieldLabels.notFound)}
              description={t('history.notFoundHint')}
              placeholder={t('history.notFoundExample')}
              value={notFound.filter((word) => word !== '')}
              onChange={(words) =>
                set('notFound', [...words, ...notFound.filter((word) => word === '')])
              }
              maxTags={19}
            />
            <Checkbox
              label={t('history.emptyIsNotFound')}
              checked={notFound.includes('')}
              onChange={(event) =>
                set('notFound', [
                  ...notFound.filter((word) => word !== ''),
                  ...(event.currentTarget.checked ? [''] : []),
                ])
              }
            />
            <Checkbox
              label={t(fieldLabels.deeper)}
              checked={reading.deeper === 'not_within_200'}
              onChange={(event) =>
                set('deeper', event.currentTarget.checked ? 'not_within_200' : 'refused')
              }
            />
          </>
        )}
        <Select
          label={t(fieldLabels.encoding)}
          data={[...historyEncodings]}
          value={reading.encoding ?? 'utf-8'}
          onChange={(value) =>
            set('encoding', historyEncodings.find((one) => one === value) ?? null)
          }
          allowDeselect={false}
        />
        {!isAccount && (
          <>
            <Select
              label={t(fieldLabels.delimiter)}
              data={keysOf(delimiters).map((value) => ({
                value,
                label: t(`history.delimiter.${delimiters[value]}`),
              }))}
              value={reading.delimiter ?? ','}
              onChange={(value) =>
                set('delimiter', keysOf(delimiters).find((one) => one === value) ?? null)
              }
              allowDeselect={false}
            />
            <Select
              label={t(fieldLabels.decimal)}
              data={keysOf(decimals).map((value) => ({
                value,
                label: t(`history.decimal.${decimals[value]}`),
              }))}
              value={reading.decimal ?? '.'}
              onChange={(value) =>
                set('decimal', keysOf(decimals).find((one) => one === value) ?? null)
              }
              allowDeselect={false}
            />
          </>
        )}
      </fieldset>
    </>
  );
}
