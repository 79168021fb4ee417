import { SegmentedControl, Select, Switch, useMantineColorScheme } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { showError } from '#web/components/toasts/toasts.tsx';
import { densities, setDensity, useDensity } from '#web/density.ts';
import { languageNames, languages, setLanguage } from '#web/i18n.ts';
import { singleKeys } from '#web/keys/listen.ts';
import { useStored } from '#web/stored.ts';
import styles from './settings-page.module.css';

const schemes = ['light', 'dark', 'auto'] as const;

function Choice({ label, children }: { label: string; children: (labelId: string) => ReactNode }) {
  const id = useId();
  return (
    <div className={styles.choice}>
      <span id={id} className={styles.choiceLabel}>
        {label}
      </span>
      {children(id)}
    </div>
  );
}

/** Settings of this browser. */
export function DisplayCard() {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const density = useDensity();
  const hasSingleKeys = useStored(singleKeys);
  return (
    <Card title={t('settings.tab.display')} lead={t('settings.displayLead')}>
      <div className={styles.form}>
        <Select
          className={styles.narrow}
          label={t('language.label')}
          data={languages.map((language) => ({ value: language, label: languageNames[language] }))}
          value={languages.find((language) => language === i18n.language) ?? 'en'}
          onChange={(chosen) => {
            const language = languages.find((candidate) => candidate === chosen);
            if (language) setLanguage(language).catch(showError);
          }}
          allowDeselect={false}
        />
        <Choice label={t('settings.colours')}>
          {(labelId) => (
            <SegmentedControl
              aria-labelledby={labelId}
              value={colorScheme}
              onChange={(scheme) => setColorScheme(scheme)}
              data={schemes.map((value) => ({ value, label: t(`theme.${value}`) }))}
            />
          )}
        </Choice>
        <Choice label={t('density.label')}>
          {(labelId) => (
            <SegmentedControl
              aria-labelledby={labelId}
              value={density}
              onChange={setDensity}
              data={densities.map((value) => ({ value, label: t(`density.${value}`) }))}
            />
          )}
        </Choice>
        <Switch
          label={t('keys.single')}
          description={t('keys.singleHint')}
          checked={hasSingleKeys}
          onChange={(event) => singleKeys.set(event.currentTarget.checked)}
        />
      </div>
    </Card>
  );
}
