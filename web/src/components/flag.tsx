import { frequentFlags, version } from 'virtual:flags';
import { basePath } from '../base-path.ts';
import styles from './flag.module.css';

/**
 * A country's flag. Flag emoji are missing on Windows, so the flags
 * are pictures of our own. The code is always shown beside it.
 */
export function Flag({ code }: { code: string }) {
  const source = frequentFlags[code] ?? `${basePath}/assets/flag-${code}-${version}.svg`;
  return <img className={styles.flag} src={source} alt="" width={18} height={12} loading="lazy" />;
}
