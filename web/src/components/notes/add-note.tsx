import { Button, Tooltip } from '@mantine/core';
import { NotebookPen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useWriteGuard } from '../../queries/write-guard.ts';

/** Opens the form of a new note. */
export function AddNoteButton({ opened, onOpen }: { opened: boolean; onOpen: () => void }) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteGuard();
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
        {t('note.add')}
      </Button>
    </Tooltip>
  );
}
