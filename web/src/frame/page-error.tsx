import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ErrorNotice } from '../components/error-notice.tsx';
import { isFailedFile } from '../connection-error.ts';
import styles from './page-error.module.css';

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    // Browsers keep the failure of a file until then.
    if (isFailedFile(error)) return location.reload();
    reset();
    void router.invalidate();
  };
  return (
    <div className={styles.page}>
      <ErrorNotice error={error} onRetry={retry} />
    </div>
  );
}
