import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowRightLeft } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Store } from '#web/api.ts';
import { formatProvider } from '#web/components/format-provider.ts';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCount, formatList } from '#web/format.ts';
import { comparisonCostQuery, type ProviderComparison } from '#web/queries/providers.ts';
import styles from './provider-card.module.css';

interface Props {
  keywordId: number;
  store: Store;
  isSearching: boolean;
  hasCompared: boolean;
  onCompare: () => void;
}

/** Says what a comparison costs, then starts it. The focus stays in the same part of the page. */
export function CompareButton({ keywordId, store, isSearching, hasCompared, onCompare }: Props) {
  const { t } = useTranslation();
  const [step, setStep] = useState<'before' | 'asked' | 'answered'>('before');
  const cost = useQuery({ ...comparisonCostQuery(keywordId), enabled: step === 'asked' });
  const start = () => {
    setStep('answered');
    onCompare();
  };
  if (step === 'asked')
    return (
      <Loaded query={cost} height={72}>
        {(estimate) => (
          <Cost
            estimate={estimate}
            store={store}
            onStart={start}
            onCancel={() => setStep('answered')}
          />
        )}
      </Loaded>
    );
  return (
    <div className={styles.buttons}>
      <Button
        className="touch"
        variant="default"
        size="xs"
        leftSection={
          isSearching ? <Loader size={12} aria-hidden /> : <ArrowRightLeft size={14} aria-hidden />
        }
        autoFocus={step === 'answered'}
        data-disabled={isSearching || undefined}
        aria-disabled={isSearching || undefined}
        onClick={() => !isSearching && setStep('asked')}
      >
        {t(hasCompared ? 'providers.again' : 'providers.compare')}
      </Button>
      <span className="muted" role="status">
        {isSearching && t('providers.searching')}
      </span>
    </div>
  );
}

interface CostProps {
  estimate: ProviderComparison;
  store: Store;
  onStart: () => void;
  onCancel: () => void;
}

function Cost({ estimate: { providers, requests }, store, onStart, onCancel }: CostProps) {
  const { t } = useTranslation();
  const names = providers.map(({ provider }) => formatProvider(store, provider, t));
  return (
    <div className={styles.cost} role="group" aria-label={t('providers.compare')}>
      <p>
        {t('providers.cost', {
          count: requests,
          shown: formatCount(requests),
          providers: formatList(names, 'long'),
        })}
      </p>
      <div className={styles.buttons}>
        <Button className="touch" size="xs" autoFocus onClick={onStart}>
          {t('providers.start')}
        </Button>
        <Button className="touch" size="xs" variant="default" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
      </div>
    </div>
  );
}
