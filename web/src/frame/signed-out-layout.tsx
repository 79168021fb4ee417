import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Brand } from '../components/brand.tsx';
import styles from './signed-out-layout.module.css';
import { LanguageMenu } from './language-menu.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

interface Props {
  title: string;
  lead: string;
  children: ReactNode;
}

const examples = [
  ['photo editor', '3', '+4'],
  ['collage maker', '12', '+1'],
  ['remove background', '>200', ''],
] as const;

/** The layout before sign-in, with a form on one side and an introduction on the other. */
export function SignedOutLayout({ title, lead, children }: Props) {
  const { t } = useTranslation();
  return (
    <div className={styles.door}>
      <main id="main" tabIndex={-1} className={styles.side}>
        <div className={styles.top}>
          <Brand />
          <div className={styles.choices}>
            <LanguageMenu />
            <ThemeToggle />
          </div>
        </div>
        <div className={styles.form}>
          <h1>{title}</h1>
          <p className="muted">{lead}</p>
          {children}
        </div>
      </main>
      <aside className={styles.show} aria-hidden>
        <p className={styles.claim}>{t('signedOut.claim')}</p>
        <div className={styles.card}>
          {examples.map(([phrase, position, gain]) => (
            <div key={phrase} className={styles.row}>
              <span>{phrase}</span>
              <span className={styles.gain}>{gain && `▲ ${gain.slice(1)}`}</span>
              <span className={styles.position}>{position}</span>
            </div>
          ))}
        </div>
        <p className={styles.note}>{t('signedOut.note')}</p>
      </aside>
    </div>
  );
}
