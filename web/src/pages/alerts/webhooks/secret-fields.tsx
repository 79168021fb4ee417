import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { Dices } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import styles from './webhooks.module.css';

const secretBytes = 32;
export const fewestCharacters = 8;
const mostCharacters = 256;

/** As the API makes them: 32 random bytes after `whsec_`. */
function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return `whsec_${btoa(String.fromCodePoint(...bytes))}`;
}

/** Null: the API makes one and shows it once. */
export function SecretFields({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (value: string | null) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className={styles.form}>
      <SegmentedControl
        aria-label={t('webhooks.secret')}
        value={value === null ? 'made' : 'own'}
        onChange={(choice) => onChange(choice === 'made' ? null : '')}
        data={[
          { value: 'made', label: t('webhooks.secretMade') },
          { value: 'own', label: t('webhooks.secretOwn') },
        ]}
      />
      {value === null ? (
        <p className="muted">{t('webhooks.secretMadeHint')}</p>
      ) : (
        <div className={styles.own}>
          <TextInput
            label={t('webhooks.secret')}
            description={t('webhooks.secretOwnHint')}
            value={value}
            minLength={fewestCharacters}
            maxLength={mostCharacters}
            autoComplete="off"
            spellCheck={false}
            required
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          <Button
            variant="default"
            className="touch"
            leftSection={<Dices size={15} aria-hidden />}
            onClick={() => onChange(makeSecret())}
          >
            {t('webhooks.generate')}
          </Button>
        </div>
      )}
    </div>
  );
}
