import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { Dices } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './webhooks.module.css';

const secretBytes = 32;
export const minCharacters = 8;
const maxCharacters = 256;

/** The format of the API: 32 random bytes after `whsec_`. */
function generateSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return `whsec_${btoa(String.fromCodePoint(...bytes))}`;
}

/** Null if the API generates the secret and shows it once. */
export function SecretFields({
  value,
  error,
  onChange,
}: {
  value: string | null;
  error?: ReactNode;
  onChange: (value: string | null) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className={styles.form}>
      <p className={styles.label} aria-hidden>
        {t('webhooks.secret')}
      </p>
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
            error={error}
            minLength={minCharacters}
            maxLength={maxCharacters}
            autoComplete="off"
            spellCheck={false}
            required
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          <Button
            variant="default"
            className="touch"
            leftSection={<Dices size={15} aria-hidden />}
            onClick={() => onChange(generateSecret())}
          >
            {t('webhooks.generate')}
          </Button>
        </div>
      )}
    </div>
  );
}
