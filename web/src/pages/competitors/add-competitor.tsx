import { Button, Modal, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isTypedAddress } from '#stores/profiles.ts';
import { AppIcon } from '#web/components/app-icon.tsx';
import { MarketChip } from '#web/components/market-chip.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { readRefusal } from '#web/components/refused-fields.tsx';
import { formatDecimal, formatShare } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { competitorSuggestionsQuery } from '#web/queries/competitor-analysis.ts';
import styles from './competitors-page.module.css';
import { useCompetitorMutations } from './use-competitor-mutations.ts';

interface Props {
  appId: number;
  opened: boolean;
  onClose: () => void;
}

/** Adds competitors by URL or id, or from suggestions based on the saved results. */
export function AddCompetitor({ appId, opened, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('competitors.add')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Choice appId={appId} onClose={onClose} />
    </Modal>
  );
}

/** Unmounted with the dialog, so that text and error are cleared. */
function Choice({ appId, onClose }: Pick<Props, 'appId' | 'onClose'>) {
  const { t } = useTranslation();
  const { add } = useCompetitorMutations({ showsAddError: true });
  const { fields, other } = readRefusal(add.error, ({ path, code, limit }) => {
    if (path === 'url' || path === 'storeAppId') return t('competitors.wrongApp');
    return code === 'too_large' ? t('competitors.tooMany', { limit }) : null;
  });
  const [text, setText] = useState('');
  const typed = text.trim();
  const submit = () => {
    if (typed === '') return;
    add.mutate(
      { appId, ...(isTypedAddress(typed) ? { url: typed } : { storeAppId: typed }) },
      {
        onSuccess: onClose,
      },
    );
  };
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextInput
          className={styles.grow}
          label={t('competitors.address')}
          description={t('competitors.addressHint')}
          value={text}
          maxLength={2_000}
          error={Object.values(fields)[0]}
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" loading={add.isPending} disabled={typed === ''}>
          {t('competitors.add')}
        </Button>
      </form>
      {other !== null && <ErrorNotice error={other} />}
      <Suggestions
        appId={appId}
        isBusy={add.isPending}
        onPick={(storeAppId) => add.mutate({ appId, storeAppId })}
      />
    </>
  );
}

function Suggestions({
  appId,
  isBusy,
  onPick,
}: {
  appId: number;
  isBusy: boolean;
  onPick: (storeAppId: string) => void;
}) {
  const { t } = useTranslation();
  const app = useCurrentApp();
  const query = useQuery(competitorSuggestionsQuery(appId, undefined));
  return (
    <section className={styles.suggestions} aria-label={t('competitors.suggested')}>
      <h3>{t('competitors.suggested')}</h3>
      <p className="muted">{t('competitors.suggestedLead')}</p>
      <Loaded query={query} height={200}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">{t('competitors.noSuggestions')}</p>
          ) : (
            <ul className={styles.list}>
              {items.map(
                ({
                  storeAppId,
                  name,
                  developer,
                  iconUrl,
                  keywords,
                  share,
                  averagePosition,
                  evidence,
                }) => (
                  <li key={storeAppId} className={styles.suggestion}>
                    <AppIcon
                      name={name ?? storeAppId}
                      store={app?.store}
                      iconUrl={iconUrl}
                      size={32}
                    />
                    <span className={styles.names}>
                      <bdi className={styles.name}>{name ?? storeAppId}</bdi>
                      <span className="muted">
                        <bdi>{developer ?? '–'}</bdi> ·{' '}
                        {t('competitors.inTopTen', {
                          count: keywords,
                          share: formatShare(share),
                          average: formatDecimal(averagePosition),
                        })}
                      </span>
                      <span className={styles.evidence}>
                        {evidence
                          .slice(0, 3)
                          .map(({ keywordId, phrase, country, device, position }) => (
                            <span key={keywordId}>
                              <bdi>{phrase}</bdi> <MarketChip of={{ country, device }} /> {position}
                            </span>
                          ))}
                      </span>
                    </span>
                    <Button
                      className="touch"
                      size="compact-sm"
                      variant="light"
                      disabled={isBusy}
                      onClick={() => onPick(storeAppId)}
                    >
                      {t('competitors.follow')}
                      <span className="sr-only"> {name ?? storeAppId}</span>
                    </Button>
                  </li>
                ),
              )}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
