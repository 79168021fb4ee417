import { useQuery } from '@tanstack/react-query';
import { tagsQuery } from '#web/queries/alerts.ts';
import styles from './tag-dot.module.css';

/** The colour of a tag, if it has one. */
export function TagDot({ tag }: { tag: string }) {
  const { data } = useQuery(tagsQuery);
  const color = data?.items.find(({ name }) => name === tag)?.color;
  return color ? <span className={styles.dot} style={{ background: color }} aria-hidden /> : null;
}
