import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Brand } from '#web/components/brand.tsx';
import { useTitle } from '#web/components/use-title.ts';
import styles from './not-found-page.module.css';

export function NotFoundPage() {
  const { t } = useTranslation();
  useTitle(t('notFound.title'));
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <Brand />
      <p className={styles.code} aria-hidden>
        &gt;200
      </p>
      <h1>{t('notFound.title')}</h1>
      <p className="muted">{t('notFound.text')}</p>
      <Button renderRoot={(props) => <Link to="/" {...props} />}>{t('notFound.home')}</Button>
    </main>
  );
}
