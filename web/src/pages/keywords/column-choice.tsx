import { Button, Menu } from '@mantine/core';
import { Columns3 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { optionalColumns, type ColumnId } from './keyword-columns.tsx';
import styles from './toolbar.module.css';

interface Props {
  offered: readonly ColumnId[];
  columns: readonly ColumnId[];
  onChange: (columns: readonly ColumnId[]) => void;
}

export function ColumnChoice({ offered, columns, onChange }: Props) {
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
          <Menu.CheckboxItem
            key={id}
            checked={columns.includes(id)}
            onChange={(isShown) =>
              onChange(
                optionalColumns.filter((other) =>
                  other === id ? isShown : columns.includes(other),
                ),
              )
            }
          >
            {t(`column.${id}.long`)}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
