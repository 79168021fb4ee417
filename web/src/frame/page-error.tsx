import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ErrorNotice } from '../components/error-notice.tsx';
import styles from './page-error.module.css';

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <div className={styles.page}>
      <ErrorNotice error={error} onRetry={retry} />
    </div>
  );
}
