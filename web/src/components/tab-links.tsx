import { Link } from '@tanstack/react-router';
import styles from './tab-links.module.css';
import { useCurrentInView } from './use-current-in-view.ts';

interface Props<Id extends string> {
  label: string;
  tabs: readonly { id: Id; label: string }[];
  current: Id;
  /** The search parameter that holds the tab. The first tab is not written. */
  name?: string;
  /** Keeps the other search parameters, for tabs that share the filters of one list. */
  isOneList?: boolean;
}

/** Tabs of a page as links. The search parameters of one tab do not carry over to another. */
export function TabLinks<Id extends string>({
  label,
  tabs,
  current,
  name = 'tab',
  isOneList = false,
}: Props<Id>) {
  const strip = useCurrentInView(current);
  return (
    <nav ref={strip} aria-label={label} className={styles.tabs}>
      {tabs.map((tab, index) => (
        <Link
          key={tab.id}
          to="."
          search={(before) => ({
            ...((isOneList || tab.id === current) && before),
            [name]: index === 0 ? undefined : tab.id,
          })}
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{ 'aria-current': undefined }}
          className={styles.tab}
          data-current={tab.id === current || undefined}
          aria-current={tab.id === current ? 'true' : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
