import { Button, type ButtonProps } from '@mantine/core';
import { RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatWait } from './format-wait.ts';

interface Props extends Pick<ButtonProps, 'variant' | 'size'> {
  /** Disabled until this instant. */
  leftSeconds: number;
  onRetry: () => void;
}

/** Retries with a countdown if there is a wait. */
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
      {leftSeconds > 0 ? formatWait(leftSeconds, 'error.retryIn') : t('error.retry')}
    </Button>
  );
}
