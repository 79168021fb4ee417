import { Button } from '@mantine/core';
import { ExternalLink, Eye } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { digestEmailUrl } from '#web/queries/digests.ts';
import styles from './digest-page.module.css';

/** The digest email in a sandboxed frame. */
export function EmailPreviewCard({ week }: { week: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const address = digestEmailUrl(week);
  return (
    <Card
      title={t('digest.email')}
      lead={t('digest.emailLead')}
      action={
        <Button
          size="xs"
          variant="default"
          className="touch"
          rightSection={<ExternalLink size={13} aria-hidden />}
          renderRoot={(props: Record<string, unknown>) => (
            <a href={address} target="_blank" rel="noreferrer" {...props} />
          )}
        >
          {t('digest.emailOpen')}
          <span className="sr-only"> {t('common.newTab')}</span>
        </Button>
      }
    >
      {isOpen ? (
        <iframe
          className={styles.email}
          src={address}
          title={t('digest.email')}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      ) : (
        <Button
          variant="light"
          className="touch"
          leftSection={<Eye size={15} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {t('digest.emailShow')}
        </Button>
      )}
    </Card>
  );
}
