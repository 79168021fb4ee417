import { Button, Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Ago } from '#web/components/ago.tsx';
import { showError } from '#web/components/toasts/toasts.tsx';
import { describeError } from '#web/describe-error.ts';
import { readSuggestions, suggestionsQuery, type Asked } from '#web/queries/suggestions.ts';
import { createStored, useStored } from '#web/stored.ts';
import styles from './suggestions-page.module.css';

const inBackground = createStored('toprung.background-scores', (found) => found !== false);

export const useIsScoredInBackground = () => useStored(inBackground);

interface Props {
  appId: number;
  asked: Asked;
  /** Null without autocomplete. */
  readAt: string | null;
  /** The outcome of scoring in the background. */
  background: { error: Error | null; isUsedUp: boolean };
}

/** How old the autocomplete is, and whether suggestions are scored in the background. */
export function ListSettings({ appId, asked, readAt, background }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isOn = useIsScoredInBackground();
  const refresh = useMutation({
    mutationFn: (of: Asked) => readSuggestions(appId, of, { refresh: true }),
    // Another list may be shown by now.
    onSuccess: (list, of) => queryClient.setQueryData(suggestionsQuery(appId, of).queryKey, list),
    onError: showError,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['workspace', 'usage'] }),
  });
  const problem = background.isUsedUp
    ? t('suggestions.backgroundUsedUp')
    : background.error && describeError(background.error).title;
  return (
    <div className={styles.settings}>
      <div>
        <Switch
          label={t('suggestions.background')}
          description={t('suggestions.backgroundHint')}
          checked={isOn}
          onChange={(event) => inBackground.set(event.currentTarget.checked)}
        />
        {isOn && problem && (
          <p className={styles.problem} role="status">
            {problem}
          </p>
        )}
      </div>
      {readAt !== null && (
        <div className={styles.age}>
          <span>
            {t('suggestions.autocompleteRead')} <Ago instant={readAt} />
          </span>
          <Button
            className="touch"
            size="compact-sm"
            variant="default"
            leftSection={<RotateCw size={14} aria-hidden />}
            loading={refresh.isPending}
            onClick={() => refresh.mutate(asked)}
          >
            {t('suggestions.refresh')}
          </Button>
        </div>
      )}
    </div>
  );
}
