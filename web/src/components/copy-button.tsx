import { Button } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from './copy-text.ts';

/** `label` tells screen readers what is copied. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation();
  const [isDone, setDone] = useState(false);
  return (
    <Button
      size="xs"
      variant="default"
      className="touch"
      leftSection={isDone ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      onClick={() => void copyText(text).then(setDone)}
    >
      {isDone ? t('common.copied') : t('common.copy')}
      <span className="sr-only"> {label}</span>
    </Button>
  );
}
