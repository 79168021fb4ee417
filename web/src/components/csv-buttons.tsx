import { ActionIcon, Tooltip } from '@mantine/core';
import { Copy, Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../save-file.ts';
import { copyWithToast } from './copy-with-toast.ts';

interface Props {
  /** The copied or downloaded data. */
  label: string;
  /** File name without extension. */
  fileName: string;
  csv: () => string;
  /** Explains why nothing can be copied or downloaded yet. */
  wait?: string | undefined;
}

/** Copies a table to the clipboard or downloads it as CSV. */
export function CsvButtons({ label, fileName, csv, wait }: Props) {
  const { t } = useTranslation();
  const actions = [
    { name: t('table.copy'), Icon: Copy, run: () => void copyWithToast(csv(), t('table.copied')) },
    {
      name: t('table.csv'),
      Icon: Download,
      run: () => saveFile(`${fileName}.csv`, csv(), 'text/csv'),
    },
  ];
  return actions.map(({ name, Icon, run }) => (
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
