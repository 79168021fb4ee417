import { useTranslation } from 'react-i18next';
import { PageHead } from '../../components/page-head.tsx';
import { PasswordCard } from './password-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import styles from './settings-page.module.css';
import { TokensCard } from './tokens-card.tsx';
import { WorkspaceCard } from './workspace-card.tsx';

export function SettingsPage() {
  const { t } = useTranslation();
  return (
    <div className={styles.page}>
      <PageHead title={t('nav.settings')} />
      <div className={styles.stack}>
        <TokensCard />
        <WorkspaceCard />
        <SessionsCard />
        <PasswordCard />
      </div>
    </div>
  );
}
