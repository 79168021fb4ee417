import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Ellipsis, FileUp, Globe } from 'lucide-react';
import { useTranslation } from 'react-i18next';

export function MoreMenu({ canCopy, onCopy }: { canCopy: boolean; onCopy: () => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <ActionIcon className="touch" variant="default" size={36} aria-label={t('keywords.more')}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
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
      </Menu.Dropdown>
    </Menu>
  );
}
