import { useTranslation } from 'react-i18next';
import { zipFaults } from '#contract/choices.ts';
import { ZipError } from '#listing-files/zip/zip-error.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { describeError } from '#web/describe-error.ts';

/** A zip that the browser or the API refuses: the fault in words, and the file in it. */
export function ZipProblem({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const found = error instanceof ZipError ? error : readRefusal(error);
  if (!found) return <ErrorNotice error={error} />;
  return (
    <ErrorNotice
      error={error}
      title={t(`listingDrafts.zip.fault.${found.fault}`)}
      remedy={found.file ?? t('listingDrafts.zip.nothingSaved')}
    />
  );
}

function readRefusal(error: unknown): Pick<ZipError, 'fault' | 'file'> | null {
  const { envelope } = describeError(error);
  const [issue] = envelope?.code === 'unusable_zip' ? (envelope.issues ?? []) : [];
  const fault = zipFaults.find((name) => name === issue?.actual);
  return fault ? { fault, file: /^zip\[(.*)\]$/s.exec(issue!.path)?.[1] ?? null } : null;
}
