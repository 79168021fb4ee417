import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import styles from './tab-links.module.css';

interface Props<Id extends string> {
  label: string;
  tabs: readonly { id: Id; label: string }[];
  current: Id;
  /** Under which the choice stands in the address; the first tab needs no mention. */
  name?: string;
  /** The tabs are views of one list, and its filters hold in each. */
  isOneList?: boolean;
}

/** Parts of a page, each with an address. What a part keeps there, its order and filters, does not go along to the next. */
export function TabLinks<Id extends string>({
  label,
  tabs,
  current,
  name = 'tab',
  isOneList = false,
}: Props<Id>) {
  const strip = useRef<HTMLElement>(null);
  // On a phone the strip is wider than the page. Not scrollIntoView: the next Tab would start from there, past the skip link.
  useEffect(() => {
    const [box, tab] = [strip.current, strip.current?.querySelector('[data-current]')];
    if (!box || !tab) return;
    const [outer, inner] = [box.getBoundingClientRect(), tab.getBoundingClientRect()];
    box.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  }, [current]);
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
          activeOptions={{ exact: true, includeSearch: false }}
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
