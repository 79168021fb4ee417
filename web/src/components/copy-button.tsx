import { Button } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from './copy-text.ts';
import { showFailure } from './toasts/toasts.tsx';

const shownMs = 2_000;

/** `label` is read by screen readers as the copied thing. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation();
  const [isDone, setDone] = useState(false);
  const { start, clear } = useTimeout(() => setDone(false), shownMs);
  const copy = async () => {
    if (!(await copyText(text))) return showFailure(t('common.notCopied'));
    setDone(true);
    clear();
    start();
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        className="touch"
        leftSection={isDone ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        onClick={() => void copy()}
      >
        {isDone ? t('common.copied') : t('common.copy')}
        <span className="sr-only"> {label}</span>
      </Button>
      <span className="sr-only" aria-live="polite">
        {isDone && t('common.copied')}
      </span>
    </>
  );
}
