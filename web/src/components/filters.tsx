import { Button } from '@mantine/core';
import { SlidersHorizontal } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './filters.module.css';

/** Labelled fields in a row that filter the list below. On a phone they are behind a button. */
export function Filters({ label, children }: { label: string; children: ReactNode }) {
  const { t } = useTranslation();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div role="search" aria-label={label}>
      <Button
        className={styles.toggle}
        variant="default"
        leftSection={<SlidersHorizontal size={15} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {t('table.filters')}
      </Button>
      <div id={id} className={styles.filters} data-folded={!isOpen || undefined}>
        {children}
      </div>
    </div>
  );
}
