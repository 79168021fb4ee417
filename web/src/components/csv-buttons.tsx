import { ActionIcon, Tooltip } from '@mantine/core';
import { Copy, Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../save-file.ts';
import { copyAndTell } from './copy-and-tell.ts';

interface Props {
  /** What is taken along. */
  label: string;
  /** Without its ending. */
  fileName: string;
  csv: () => string;
  /** Why there is nothing to take yet. */
  wait?: string | undefined;
}

/** A table as text: to the clipboard, or as a file. */
export function CsvButtons({ label, fileName, csv, wait }: Props) {
  const { t } = useTranslation();
  const errands = [
    { name: t('table.copy'), Icon: Copy, run: () => void copyAndTell(csv(), t('table.copied')) },
    {
      name: t('table.csv'),
      Icon: Download,
      run: () => saveFile(`${fileName}.csv`, csv(), 'text/csv'),
    },
  ];
  return errands.map(({ name, Icon, run }) => (
    <Tooltip key={name} label={wait ?? name}>
      <ActionIcon
        className="touch"
        variant="default"
        aria-label={`${name}: ${label}`}
        data-disabled={wait !== undefined || undefined}
        aria-disabled={wait !== undefined || undefined}
        onClick={() => wait === undefined && run()}
      >
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  ));
}
