import { Button, Tooltip } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ListPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useDraft } from '#web/use-draft.ts';

interface Props {
  appId: number;
  country: string;
  terms: readonly string[];
}

/** Opens the dialog that adds keywords, with the selected terms and their country. */
export function TrackBar({ appId, country, terms }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { canWrite, reason } = useWriteAccess();
  const draft = useDraft(`add-keywords.${appId}`);
  const track = () => {
    // Phrases that were typed there before stay.
    draft.change([draft.text.trim(), ...terms].filter(Boolean).join('\n'));
    void navigate({
      to: '/apps/$appId/keywords',
      params: { appId: String(appId) },
      search: () => ({ add: '1', country }),
    });
  };
  return (
    <Tooltip label={reason} disabled={canWrite}>
      <Button
        className="touch"
        leftSection={<ListPlus size={15} aria-hidden />}
        disabled={terms.length === 0}
        aria-disabled={!canWrite || undefined}
        onClick={() => canWrite && track()}
      >
        {t('popularity.trackCount', { count: terms.length })}
      </Button>
    </Tooltip>
  );
}
