import { TextInput, type TextInputProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { firstDay, isUtcDay } from '#lib/dates.ts';

interface Props extends Pick<
  TextInputProps,
  'size' | 'className' | 'label' | 'aria-label' | 'required' | 'error' | 'disabled'
> {
  /** Empty while unknown. */
  day: string;
  max: string;
  onChoose: (day: string) => void;
  /** Without it, an empty field gets its day back. */
  onClear?: () => void;
}

/**
 * Selects a day from the first that can be named up to `max`. A typed day is chosen when it is
 * complete: on Enter, or when the focus leaves.
 */
export function DayField({ day, max, onChoose, onClear, ...input }: Props) {
  const [text, setText] = useState(day);
  const [shown, setShown] = useState(day);
  // A choice may lead to another day, as in the digest of a week, or to the one that is shown.
  const [chosen, setChosen] = useState(day);
  const isTyped = useRef(false);
  if (shown !== day) {
    setShown(day);
    setChosen(day);
    // Text that is typed while a day loads stays.
    if (text === shown || text === chosen) setText(day);
  }
  const isDay = (value: string) => isUtcDay(value) && value >= firstDay && value <= max;
  const choose = (value: string) => {
    setText(value);
    if (value === chosen || (value !== '' && !isDay(value))) return;
    setChosen(value);
    if (value === '') onClear?.();
    else onChoose(value);
  };
  return (
    <TextInput
      {...input}
      type="date"
      value={text}
      min={firstDay}
      max={max}
      // A day that is picked in the browser’s calendar needs neither Enter nor another focus.
      onPointerDown={() => (isTyped.current = false)}
      onKeyDown={({ key, altKey }) => {
        if (key === 'Enter') choose(text);
        else isTyped.current = !altKey && key !== ' ' && key !== 'F4';
      }}
      onChange={({ currentTarget: { value } }) =>
        isTyped.current ? setText(value) : choose(value)
      }
      onBlur={() => {
        choose(text);
        setText(day);
        setChosen(day);
      }}
    />
  );
}
