import { Button, Tooltip } from '@mantine/core';
import { NotebookPen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useWriteAccess } from '#web/queries/write-guard.ts';

export function AddAnnotationButton({ opened, onOpen }: { opened: boolean; onOpen: () => void }) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  return (
    <Tooltip label={reason} disabled={canWrite}>
      <Button
        className="touch"
        variant="default"
        size="xs"
        leftSection={<NotebookPen size={14} aria-hidden />}
        aria-expanded={opened}
        data-disabled={!canWrite || undefined}
        aria-disabled={!canWrite}
        onClick={() => canWrite && onOpen()}
      >
        {t('annotation.add')}
      </Button>
    </Tooltip>
  );
}
