import { Button, Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { eventTypes } from '../../../../../src/contract/choices.ts';
import type { EventName } from '../../../queries/alerts.ts';
import styles from './webhooks.module.css';

/** Which of the seven events are told; all with one press. */
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
          label={t(`alerts.event.${name}`)}
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
