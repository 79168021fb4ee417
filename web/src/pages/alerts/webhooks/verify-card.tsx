import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { CopyButton } from '#web/components/copy-button.tsx';
import { verifyCode, verifyLanguages, type VerifyLanguage } from './verify-code.ts';
import styles from './webhooks.module.css';

export function VerifyCard() {
  const { t } = useTranslation();
  const [language, setLanguage] = useState<VerifyLanguage>('node');
  const code = verifyCode[language];
  return (
    <Card title={t('webhooks.verify')} lead={t('webhooks.verifyLead')}>
      <div className={styles.codeHead}>
        <SegmentedControl
          size="xs"
          aria-label={t('webhooks.language')}
          value={language}
          onChange={(value) => setLanguage(value)}
          data={Object.entries(verifyLanguages).map(([value, label]) => ({
            value: value as VerifyLanguage,
            label,
          }))}
        />
        <CopyButton text={code} label={t('webhooks.verify')} />
      </div>
      <pre
        className={styles.code}
        tabIndex={0}
        aria-label={t('webhooks.verifyCode', { language: verifyLanguages[language] })}
        data-testid="verify-code"
      >
        {code}
      </pre>
    </Card>
  );
}
