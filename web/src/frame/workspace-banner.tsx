import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../queries/session.ts';
import styles from './workspace-banner.module.css';

/** A workspace that may only be read says so on every page, before a click is refused. */
export function WorkspaceBanner() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const state = session?.workspace.state;
  if (state !== 'suspended' && state !== 'lapsed') return null;
  return (
    <div className={styles.banner} role="status">
      <TriangleAlert size={16} aria-hidden />
      <p>
        <strong>{t(`banner.${state}.title`)}</strong> {t(`banner.${state}.remedy`)}
      </p>
    </div>
  );
}
