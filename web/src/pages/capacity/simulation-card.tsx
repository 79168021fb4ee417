import { NumberInput, Select, Slider } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isStoreName, storeNames, storeProfiles } from '#stores/profiles.ts';
import type { Store } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { Waiting } from '#web/components/waiting.tsx';
import { formatCount } from '#web/format.ts';
import { simulationQuery } from '#web/queries/runs.ts';
import styles from './capacity-page.module.css';
import { SimulationResult } from './simulation-result.tsx';

const stops = [0, 10, 25, 50, 100, 200, 500, 1_000, 2_000, 5_000];
const debounceMs = 200;

/** `+50 keywords in 3 countries: 31 % → 44 %`, as an estimate. */
export function SimulationCard() {
  const { t } = useTranslation();
  const label = useId();
  const [store, setStore] = useState<Store>(storeNames[0]);
  const [stop, setStop] = useState(3);
  const [countries, setCountries] = useState<number | string>(3);
  const each = stops[stop]!;
  const countryCount = Math.max(1, Number(countries) || 1);
  const [asked] = useDebouncedValue({ store, each, countryCount }, debounceMs);
  const { data: before } = useQuery(simulationQuery([]));
  const { data, error, isFetching } = useQuery({
    ...simulationQuery([{ store: asked.store, keywords: asked.each * asked.countryCount }]),
    placeholderData: keepPreviousData,
  });
  return (
    <Card title={t('whatIf.title')} lead={t('whatIf.lead')}>
      <div className={styles.form}>
        <div>
          <div className={styles.sliderLabel}>
            <span id={label}>{t('whatIf.keywords')}</span>
            <span className="num">{t('whatIf.plus', { shown: formatCount(each) })}</span>
          </div>
          <Slider
            classNames={{ track: styles.track }}
            value={stop}
            onChange={setStop}
            min={0}
            max={stops.length - 1}
            step={1}
            label={null}
            thumbProps={{ 'aria-labelledby': label }}
            thumbValueText={formatCount(each)}
            mt={8}
          />
        </div>
        <div className={styles.row}>
          <NumberInput
            label={t('whatIf.countries')}
            value={countries}
            onChange={setCountries}
            min={1}
            max={150}
            allowDecimal={false}
            clampBehavior="blur"
          />
          <Select
            label={t('facts.store')}
            value={store}
            onChange={(value) => value !== null && isStoreName(value) && setStore(value)}
            data={storeProfiles.map(({ id, name }) => ({ value: id, label: name }))}
            allowDeselect={false}
          />
        </div>
        {error && <ErrorNotice error={error} />}
        {data && before ? (
          <SimulationResult before={before} after={data} asked={asked} isFetching={isFetching} />
        ) : (
          !error && <Waiting height={[171, 191]} />
        )}
      </div>
    </Card>
  );
}
