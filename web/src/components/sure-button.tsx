import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './sure-button.module.css';

interface Props {
  children: ReactNode;
  /** Names the question, and its answer. */
  question: string;
  sure: string;
  disabled: boolean;
  why: string | undefined;
  loading: boolean;
  onSure: () => void;
}

/** Asks once more. Cancel has the focus: Enter held down, or pressed twice, must not go through with it. */
export function SureButton({ children, question, sure, disabled, why, loading, onSure }: Props) {
  const { t } = useTranslation();
  const [step, setStep] = useState<'before' | 'asked' | 'cancelled'>('before');
  if (step !== 'asked') {
    return (
      <Button
        size="xs"
        variant="default"
        className="touch"
        autoFocus={step === 'cancelled'}
        disabled={disabled}
        title={why}
        onClick={() => setStep('asked')}
      >
        {children}
      </Button>
    );
  }
  return (
    <span className={styles.sure} role="group" aria-label={question}>
      <Button
        size="xs"
        variant="default"
        className="touch"
        autoFocus
        onClick={() => setStep('cancelled')}
      >
        {t('common.cancel')}
      </Button>
      <Button size="xs" color="red" className="touch" loading={loading} onClick={onSure}>
        {sure}
      </Button>
    </span>
  );
}
