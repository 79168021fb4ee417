import { Button, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { lazyPart } from '#web/components/lazy-part.tsx';
import { withTexts } from '#web/i18n.ts';
import styles from './steps.module.css';

const fetchSnippets = withTexts(['settings'], () => import('../settings/snippets-card.tsx'));
const McpSnippets = lazyPart(async () => (await fetchSnippets()).McpSnippetsCard);

/** The AI client configuration, loaded on demand while the first positions are pending. */
export function ConnectClient() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Card title={t('welcome.connect.title')} lead={t('welcome.connect.lead')}>
        <div className={styles.connect}>
          <Button
            variant="default"
            className="touch"
            leftSection={<Plug size={15} aria-hidden />}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {t(isOpen ? 'welcome.connect.hide' : 'welcome.connect.show')}
          </Button>
          <Button
            variant="subtle"
            className="touch"
            renderRoot={(props) => (
              <Link to="/settings" search={{ tab: 'tokens' } as never} {...props} />
            )}
          >
            {t('welcome.connect.token')}
          </Button>
        </div>
      </Card>
      {isOpen && <McpSnippets fallback={<Skeleton height={480} radius={14} />} />}
    </>
  );
}
