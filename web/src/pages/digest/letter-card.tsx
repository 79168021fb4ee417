import { Button } from '@mantine/core';
import { ExternalLink, Eye } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { letterAddress } from '../../queries/digests.ts';
import styles from './digest-page.module.css';

/** The letter as readers get it, in a frame that can run nothing. */
export function LetterCard({ week }: { week: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const address = letterAddress(week);
  return (
    <Card
      title={t('digest.letter')}
      lead={t('digest.letterLead')}
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
          {t('digest.letterOpen')}
          <span className="sr-only"> {t('common.newTab')}</span>
        </Button>
      }
    >
      {isOpen ? (
        <iframe
          className={styles.letter}
          src={address}
          title={t('digest.letter')}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      ) : (
        <Button
          variant="light"
          className="touch"
          leftSection={<Eye size={15} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {t('digest.letterShow')}
        </Button>
      )}
    </Card>
  );
}
