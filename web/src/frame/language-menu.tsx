import { ActionIcon } from '@mantine/core';
import { Languages } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MenuButton } from '../components/overlays/menu-button.tsx';
import { loadFrameOverlays } from './load-overlays.ts';

/** For pages without the account menu. */
export function LanguageMenu() {
  const { t } = useTranslation();
  return (
    <MenuButton
      load={loadFrameOverlays}
      position="bottom-end"
      width={160}
      button={(props) => (
        <ActionIcon
          {...props}
          className="touch"
          variant="default"
          radius="xl"
          size={34}
          aria-label={t('language.label')}
        >
          <Languages size={16} aria-hidden />
        </ActionIcon>
      )}
      items={({ LanguageChoices }) => <LanguageChoices />}
    />
  );
}
