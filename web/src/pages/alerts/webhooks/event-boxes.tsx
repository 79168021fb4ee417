import { Button, Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { eventTypes } from '#contract/choices.ts';
import type { EventName } from '#web/queries/alerts.ts';
import styles from './webhooks.module.css';

/** Checkboxes for the event types, with buttons for all and none. */
export function EventBoxes({
  value,
  onChange,
}: {
  value: readonly EventName[];
  onChange: (value: EventName[]) => void;
}) {
  const { t } = useTranslation();
  const isAll = value.length === eventTypes.length;
  return (
    <fieldset className={styles.boxes}>
      <legend>{t('webhooks.events')}</legend>
      <Button
        size="compact-sm"
        variant="subtle"
        className={`${styles.all} touch`}
        onClick={() => onChange(isAll ? [] : [...eventTypes])}
      >
        {isAll ? t('webhooks.none') : t('webhooks.all')}
      </Button>
      {eventTypes.map((name) => (
        <Checkbox
          key={name}
          label={t(`event.${name}.title`)}
          description={name}
          checked={value.includes(name)}
          onChange={(event) => {
            const isOn = event.currentTarget.checked;
            onChange(eventTypes.filter((other) => (other === name ? isOn : value.includes(other))));
          }}
        />
      ))}
    </fieldset>
  );
}
