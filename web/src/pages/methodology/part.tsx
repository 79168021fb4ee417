import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type texts from '#web/locales/en/methodology.json';
import styles from './methodology-page.module.css';

interface Props {
  id:
    | 'position'
    | 'providers'
    | 'gaps'
    | 'traffic'
    | 'difficulty'
    | 'opportunity'
    | 'visibility'
    | 'actions'
    | 'kept'
    | 'unknown';
  paragraphs: readonly (keyof typeof texts)[];
  children?: ReactNode;
}

/** A section with its own anchor. */
export function Part({ id, paragraphs, children }: Props) {
  const { t } = useTranslation();
  return (
    <section id={id} className={styles.part} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t(`methodology.${id}.title`)}</h2>
      {paragraphs.map((key) => (
        <p key={key}>{t(key)}</p>
      ))}
      {children}
    </section>
  );
}
