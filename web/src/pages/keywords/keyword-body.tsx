import { useMediaQuery } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '#web/api.ts';
import { useDensity } from '#web/density.ts';
import { singleKeys } from '#web/keys/listen.ts';
import { useIsPrinting } from '#web/printing.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import type { ColumnId } from './keyword-columns.tsx';
import { KeywordRow } from './keyword-row.tsx';
import styles from './keyword-table.module.css';
import { useKeywordLinks } from './use-keyword-links.ts';

interface Props {
  keywords: readonly Keyword[];
  visible: readonly ColumnId[];
  isTicked: (keyword: Keyword) => boolean;
  onTick: (index: number, withRange: boolean) => void;
  onFavorite: (keyword: Keyword) => void;
}

const rowHeights = { comfortable: { wide: 46, narrow: 68 }, compact: { wide: 28, narrow: 60 } };
const overscan = 6;
/** Printing shows the whole list, up to the rows that fill about thirty pages. */
const maxPrintedRows = 1_000;

/**
 * A virtual list: only visible rows are rendered. The window scrolls, so that phones have one
 * scroll area.
 */
export function KeywordBody({ keywords, visible, isTicked, onTick, onFavorite }: Props) {
  const { t } = useTranslation();
  const isNarrow = useMediaQuery('(max-width: 47.99em)') ?? false;
  const height = rowHeights[useDensity()][isNarrow ? 'narrow' : 'wide'];
  const isPrinting = useIsPrinting();
  const { reason: locked } = useWriteAccess();
  const links = useKeywordLinks();
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(
    () => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY),
    [isNarrow],
  );
  // Must be the same function for the same list; otherwise all row offsets are computed again on
  // every scroll event.
  const getItemKey = useCallback((index: number) => keywords[index]!.id, [keywords]);
  const virtualizer = useWindowVirtualizer({
    count: keywords.length,
    estimateSize: () => height,
    overscan: isPrinting ? maxPrintedRows : overscan,
    scrollMargin: top,
    useFlushSync: false,
    getItemKey,
  });
  useLayoutEffect(() => virtualizer.measure(), [height, virtualizer]);

  const goingTo = useRef<number | null>(null);
  const focusRow = (index: number): boolean => {
    const link = body.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`);
    if (!link) return false;
    link.focus({ preventScroll: true });
    goingTo.current = null;
    return true;
  };

  /** Arrow keys or j and k move between rows, x selects, while the table has the focus. */
  const onKeyDown = (event: KeyboardEvent) => {
    const element = (event.target as HTMLElement).closest('[data-index]');
    if (!element || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key.length === 1 && !singleKeys.get()) return;
    // Keys pressed before the next row is rendered apply to that row.
    const at = goingTo.current ?? Number(element.getAttribute('data-index'));
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (event.key === 'x') {
      event.preventDefault();
      onTick(at, false);
    }
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(keywords.length - 1, Math.max(0, at + step));
    goingTo.current = next;
    virtualizer.scrollToIndex(next);
    if (focusRow(next)) return;
    requestAnimationFrame(() => {
      if (!focusRow(goingTo.current ?? next)) goingTo.current = null;
    });
  };

  return (
    <div
      role="rowgroup"
      ref={body}
      className={styles.body}
      style={{ height: virtualizer.getTotalSize() }}
      onKeyDown={onKeyDown}
      onPointerEnter={links.fetchPage}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start, size }) => {
        const keyword = keywords[index]!;
        return (
          <KeywordRow
            key={key}
            keyword={keyword}
            index={index}
            visible={visible}
            ticked={isTicked(keyword)}
            top={start - top}
            height={size}
            locked={locked}
            links={links}
            t={t}
            onTick={onTick}
            onFavorite={onFavorite}
          />
        );
      })}
    </div>
  );
}
