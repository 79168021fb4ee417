import { ActionIcon, Menu } from '@mantine/core';
import { Languages } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { LanguageChoices } from './language-choices.tsx';

/** For pages without the account menu. */
export function LanguageMenu() {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={160}>
      <Menu.Target>
        <ActionIcon
          className="touch"
          variant="default"
          radius="xl"
          size={34}
          aria-label={t('language.label')}
        >
          <Languages size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <LanguageChoices />
      </Menu.Dropdown>
    </Menu>
  );
}
