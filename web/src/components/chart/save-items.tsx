import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Missing while there is no picture. */
  onPng: (() => void) | undefined;
  onCsv: () => void;
}

/** Menu items that save a chart. */
export function SaveItems({ onPng, onCsv }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <Menu.Item onClick={onPng} disabled={onPng === undefined}>
        {t('chart.png')}
      </Menu.Item>
      <Menu.Item onClick={onCsv}>{t('chart.csv')}</Menu.Item>
    </>
  );
}
