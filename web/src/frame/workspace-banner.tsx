import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Hourglass, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useBanner } from './use-banner.ts';
import { useRestoreWorkspace } from '../use-restore-workspace.ts';
import { sessionQuery } from '../queries/session.ts';
import styles from './workspace-banner.module.css';

/** Shows the status of the workspace on every page, before a click is rejected. */
export function WorkspaceBanner() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const banner = useBanner(session);
  const restore = useRestoreWorkspace();
  if (!banner) return null;
  const Icon = banner.isCalm ? Hourglass : TriangleAlert;
  return (
    <div className={styles.banner} data-calm={banner.isCalm || undefined} role="status">
      <Icon size={16} aria-hidden />
      <p>
        <strong>{banner.title}</strong> {banner.text}
      </p>
      {banner.action && (
        <Link to="/settings/billing" className={styles.action}>
          {t(banner.action)}
        </Link>
      )}
      {banner.canRestore && (
        <Button
          size="compact-sm"
          variant="default"
          className="touch"
          loading={restore.isPending}
          onClick={() => restore.mutate()}
        >
          {t('banner.deleted.keep')}
        </Button>
      )}
    </div>
  );
}
