import { Button } from '@mantine/core';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './confirm-button.module.css';

interface Props {
  children: ReactNode;
  /** Shown with the buttons, and names their group. */
  question: string;
  sure: string;
  disabled: boolean;
  why: string | undefined;
  loading: boolean;
  onConfirm: () => void;
}

/**
 * Asks for confirmation. Cancel has the focus, so that a held or repeated Enter does not confirm.
 */
export function ConfirmButton({
  children,
  question,
  sure,
  disabled,
  why,
  loading,
  onConfirm,
}: Props) {
  const { t } = useTranslation();
  const id = useId();
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
    <span className={styles.sure} role="group" aria-labelledby={id}>
      <span className={styles.question} id={id}>
        {question}
      </span>
      <span className={styles.buttons}>
        <Button
          size="xs"
          variant="default"
          className="touch"
          autoFocus
          onClick={() => setStep('cancelled')}
        >
          {t('common.cancel')}
        </Button>
        <Button size="xs" color="red" className="touch" loading={loading} onClick={onConfirm}>
          {sure}
        </Button>
      </span>
    </span>
  );
}
