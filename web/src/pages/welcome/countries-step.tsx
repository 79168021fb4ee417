import { Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CountryPicker } from '#web/components/country-picker.tsx';
import { commonCountries } from '#web/countries.ts';
import { formatCountry } from '#web/format.ts';
import { ListingCard } from './listing-card.tsx';
import styles from './steps.module.css';
import type { useWizardState } from './wizard-state.ts';

export function CountriesStep({ state, change }: ReturnType<typeof useWizardState>) {
  const { t } = useTranslation();
  const offered = commonCountries.filter((code) => !state.countries.includes(code)).slice(0, 8);
  return (
    <form
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault();
        change({ step: 'keywords' });
      }}
    >
      {state.listing && <ListingCard listing={state.listing} />}
      <CountryPicker
        label={t('welcome.countries.label')}
        description={t('welcome.countries.hint')}
        value={state.countries}
        onChange={(countries) => change({ countries })}
      />
      <div className={styles.chips} role="group" aria-label={t('welcome.countries.offered')}>
        {offered.map((code) => (
          <Button
            key={code}
            size="xs"
            radius="xl"
            variant="default"
            className="touch"
            leftSection={<Plus size={13} aria-hidden />}
            onClick={() => change({ countries: [...state.countries, code] })}
          >
            {formatCountry(code)}
          </Button>
        ))}
      </div>
      <div className={styles.actions}>
        <Button variant="subtle" color="gray" size="md" onClick={() => change({ step: 'app' })}>
          {t('common.back')}
        </Button>
        <Button type="submit" size="md" disabled={state.countries.length === 0}>
          {t('common.continue')}
        </Button>
      </div>
    </form>
  );
}
