import { useTranslation } from 'react-i18next';
import { zipFaults } from '#contract/choices.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { describeError } from '#web/describe-error.ts';

/** A refused zip: the fault in words, and the file in it. */
export function ZipProblem({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const { envelope } = describeError(error);
  const [issue] = envelope?.code === 'unusable_zip' ? (envelope.issues ?? []) : [];
  const fault = zipFaults.find((name) => name === issue?.actual);
  if (!issue || !fault) return <ErrorNotice error={error} />;
  const file = /^zip\[(.*)\]$/s.exec(issue.path)?.[1];
  return (
    <ErrorNotice
      error={error}
      title={t(`listingDrafts.zip.fault.${fault}`)}
      remedy={file ?? t('listingDrafts.zip.nothingSaved')}
    />
  );
}
