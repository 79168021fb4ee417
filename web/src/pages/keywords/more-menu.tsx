import { ActionIcon, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArchiveRestore, Ellipsis, FileUp, Globe, Link2, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { copyWithToast } from '#web/components/copy-with-toast.ts';
import { followJob } from '#web/components/job-toast.ts';
import { showError } from '#web/components/toasts/toasts.tsx';
import { useWriteAccess } from '#web/queries/write-guard.ts';

interface Props {
  appId: number;
  canCopy: boolean;
  onCopy: () => void;
  onRemoved: () => void;
}

export function MoreMenu({ appId, canCopy, onCopy, onRemoved }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  // The daily run of the app now, within its allowance and the pace of the store.
  const check = useMutation({
    mutationFn: () => call('POST /apps/{id}/run-daily', { params: { id: appId } }),
    onSuccess: ({ job }) => void followJob(job.id, t('keywords.checkNow'), queryClient),
    onError: showError,
  });
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <ActionIcon className="touch" variant="default" size={36} aria-label={t('keywords.more')}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<RefreshCw size={15} aria-hidden />}
          disabled={!canWrite || check.isPending}
          title={reason}
          onClick={() => check.mutate()}
        >
          {t('keywords.checkNow')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Link2 size={15} aria-hidden />}
          onClick={() => void copyWithToast(location.href, t('keywords.linkCopied'))}
        >
          {t('keywords.copyLink')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Globe size={15} aria-hidden />}
          disabled={!canCopy}
          onClick={onCopy}
        >
          {t('copy.title')}
        </Menu.Item>
        <Menu.Item
          leftSection={<FileUp size={15} aria-hidden />}
          renderRoot={(props) => (
            <Link to="/imports-exports" search={{ tab: 'import' } as never} {...props} />
          )}
        >
          {t('keywords.import')}
        </Menu.Item>
        <Menu.Item leftSection={<ArchiveRestore size={15} aria-hidden />} onClick={onRemoved}>
          {t('removed.title')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
