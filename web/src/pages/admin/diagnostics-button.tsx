import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { stringifyExact } from '#lib/json.ts';
import { call } from '#web/api.ts';
import { showError } from '#web/components/toasts/toasts.tsx';
import { saveFile } from '#web/save-file.ts';

/** Downloads a document about the instance, without secrets, for a report of a problem. */
export function DiagnosticsButton() {
  const { t } = useTranslation();
  const download = useMutation({
    mutationFn: () => call('GET /admin/diagnostics'),
    onSuccess(diagnostics) {
      const at = diagnostics.generatedAt.slice(0, 19).replaceAll(':', '');
      saveFile(`toprung-diagnostics-${at}Z.json`, stringifyExact(diagnostics), 'application/json');
    },
    onError: showError,
  });
  return (
    <Button
      variant="default"
      leftSection={<Download size={14} aria-hidden />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t('admin.diagnostics')}
    </Button>
  );
}
