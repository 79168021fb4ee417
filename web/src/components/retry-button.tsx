import { Button, type ButtonProps } from '@mantine/core';
import { RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { sayWait } from './wait-words.ts';

interface Props extends Pick<ButtonProps, 'variant' | 'size'> {
  /** Until it may be pressed. */
  leftSeconds: number;
  onRetry: () => void;
}

/** Tries again; counts down where there is a wait. */
export function RetryButton({ leftSeconds, onRetry, ...look }: Props) {
  const { t } = useTranslation();
  return (
    <Button
      className="touch"
      {...look}
      disabled={leftSeconds > 0}
      leftSection={<RotateCw size={14} aria-hidden />}
      onClick={onRetry}
    >
      {leftSeconds > 0 ? sayWait(leftSeconds, 'error.retryIn') : t('error.retry')}
    </Button>
  );
}
