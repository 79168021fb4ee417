import { InputBase, type SelectProps } from '@mantine/core';
import { useImperativeHandle, useLayoutEffect, useRef, type KeyboardEvent, type Ref } from 'react';
import { flushSync } from 'react-dom';
import { showError } from '../toasts/toasts.tsx';
import styles from './overlay-select.module.css';
import { useOverlays } from './use-overlays.ts';

interface Props<Value extends string> extends Pick<
  SelectProps,
  'className' | 'leftSection' | 'size' | 'onOptionSubmit' | 'searchable' | 'comboboxProps'
> {
  ref?: Ref<HTMLInputElement>;
  'aria-label': string;
  value: Value;
  data: { value: Value; label: string }[];
  onChange?: (value: Value | null) => void;
}

/** The library's own. */
const chevron =
  'M4.93179 5.43179C4.75605 5.60753 4.75605 5.89245 4.93179 6.06819C5.10753 6.24392 5.39245 ' +
  '6.24392 5.56819 6.06819L7.49999 4.13638L9.43179 6.06819C9.60753 6.24392 9.89245 6.24392 ' +
  '10.0682 6.06819C10.2439 5.89245 10.2439 5.60753 10.0682 5.43179L7.81819 3.18179C7.73379 ' +
  '3.0974 7.61933 3.04999 7.49999 3.04999C7.38064 3.04999 7.26618 3.0974 7.18179 ' +
  '3.18179L4.93179 5.43179ZM10.0682 9.56819C10.2439 9.39245 10.2439 9.10753 10.0682 ' +
  '8.93179C9.89245 8.75606 9.60753 8.75606 9.43179 8.93179L7.49999 10.8636L5.56819 ' +
  '8.93179C5.39245 8.75606 5.10753 8.75606 4.93179 8.93179C4.75605 9.10753 4.75605 9.39245 ' +
  '4.93179 9.56819L7.18179 11.8182C7.35753 11.9939 7.64245 11.9939 7.81819 11.8182L10.0682 ' +
  '9.56819Z';

const openingKeys = ['ArrowDown', 'ArrowUp', 'Enter', ' '];
const isShortcut = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey;

/**
 * A select without an empty choice. Its code loads when it is hovered or focused; until it is
 * opened for the first time, a field that looks the same is shown.
 */
export function OverlaySelect<Value extends string>({
  ref,
  searchable = false,
  onOptionSubmit,
  ...props
}: Props<Value>) {
  const { value, data, onChange: _change, comboboxProps: _list, ...look } = props;
  const { overlays, prepare, request } = useOverlays();
  const field = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => field.current!);
  const isOpening = useRef(false);
  useLayoutEffect(() => {
    if (!isOpening.current) return;
    isOpening.current = false;
    field.current?.focus();
    field.current?.click();
  }, [overlays]);
  if (overlays)
    return (
      <overlays.Select
        ref={field}
        allowDeselect={false}
        searchable={searchable}
        {...(onOptionSubmit && { onOptionSubmit })}
        {...props}
      />
    );
  const open = () => {
    isOpening.current = true;
    request().catch((error: unknown) => {
      isOpening.current = false;
      showError(error);
    });
  };
  return (
    <InputBase
      {...look}
      ref={field}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      readOnly
      pointer={!searchable}
      value={data.find((choice) => choice.value === value)?.label ?? ''}
      rightSection={
        <svg
          className={styles.chevron}
          data-small={look.size === 'xs' || undefined}
          viewBox="0 0 15 15"
          aria-hidden
        >
          <path d={chevron} fill="currentColor" fillRule="evenodd" clipRule="evenodd" />
        </svg>
      }
      rightSectionPointerEvents="none"
      onPointerEnter={prepare}
      onFocus={prepare}
      onBlur={() => {
        isOpening.current = false;
      }}
      onClick={open}
      onKeyDown={(event) => {
        const isText = event.key.length === 1 && event.key !== ' ';
        if (isText ? !searchable || isShortcut(event) : !openingKeys.includes(event.key)) return;
        // The character is typed into the list's own field.
        if (isText) flushSync(open);
        else {
          event.preventDefault();
          open();
        }
      }}
    />
  );
}
