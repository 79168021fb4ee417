import { Button, Menu } from '@mantine/core';
import { Columns3 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ColumnId } from './keyword-columns.tsx';
import styles from './toolbar.module.css';

interface Props {
  offered: readonly ColumnId[];
  columns: readonly ColumnId[];
  onToggle: (column: ColumnId) => void;
}

export function ColumnChoice({ offered, columns, onToggle }: Props) {
  const { t } = useTranslation();
  return (
    <Menu closeOnItemClick={false} position="bottom-end" width={210}>
      <Menu.Target>
        <Button
          variant="default"
          className={styles.columns}
          leftSection={<Columns3 size={15} aria-hidden />}
        >
          {t('toolbar.columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map((id) => (
          <Menu.CheckboxItem key={id} checked={columns.includes(id)} onChange={() => onToggle(id)}>
            {t(`column.${id}.long`)}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
