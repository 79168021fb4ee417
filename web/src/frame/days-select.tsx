import { CalendarDays } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showError } from '../components/toasts/toasts.tsx';
import { formatSpan } from '../format.ts';
import { OverlaySelect } from '../components/overlays/overlay-select.tsx';
import { loadFrameOverlays } from './load-overlays.ts';
import { useOverlays } from '../components/overlays/use-overlays.ts';
import { defaultDays, spanOfScope, spans, type Scope } from '../scope.ts';
import styles from './scope-bar.module.css';

interface Props {
  scope: Scope;
  onChange: (next: Scope) => void;
  /** Inside a popover, the date fields are below the select instead of in another popover. */
  isInPopover: boolean;
  /** The first day with data, if known. */
  firstDay: string | undefined;
}

/** Selects the last days or a custom range. */
export function DaysSelect({ scope, onChange, isInPopover, firstDay }: Props) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const { overlays, request } = useOverlays(loadFrameOverlays);
  const [choosing, setChoosing] = useState(false);
  const span = spanOfScope(scope);
  // The first day is that of another app or country if one was chosen since.
  const isAll = scope.days === 'all' && firstDay !== undefined && span.from <= firstDay;
  const isRange = scope.from !== undefined && !isAll;
  const pick = (value: string) => {
    setChoosing(value === 'choose');
    if (value === 'choose') request().catch(showError);
    if (value === 'all' && firstDay) onChange({ days: value, from: firstDay, to: undefined });
    const days = Number(value) || undefined;
    if (days)
      onChange({ days: days === defaultDays ? undefined : days, from: undefined, to: undefined });
  };
  const select = (
    <OverlaySelect
      ref={field}
      aria-label={t('scope.days')}
      className={`${styles.days} ${isRange ? styles.long : ''}`}
      leftSection={<CalendarDays size={15} aria-hidden />}
      value={isAll ? 'all' : isRange ? 'range' : String(scope.days ?? defaultDays)}
      onOptionSubmit={pick}
      data={[
        ...(isRange ? [{ value: 'range', label: formatSpan(span, isInPopover) }] : []),
        ...spans.map((days) => ({
          value: String(days),
          label: t('scope.lastDays', { count: days }),
        })),
        ...(firstDay ? [{ value: 'all', label: t('scope.allDays') }] : []),
        { value: 'choose', label: t('scope.choose') },
      ]}
      comboboxProps={{ withinPortal: false }}
    />
  );
  const form = overlays && (
    <overlays.RangeForm
      initial={span}
      onChoose={(range) => {
        setChoosing(false);
        field.current?.focus();
        onChange({ days: undefined, ...range });
      }}
    />
  );
  if (isInPopover)
    return (
      <>
        {select}
        {choosing && form}
      </>
    );
  return (
    <>
      <div ref={area} className={styles.field}>
        {select}
      </div>
      {overlays && (
        <overlays.AnchoredPopover
          anchor={area}
          opened={choosing}
          onChange={setChoosing}
          withRoles={false}
          width={260}
          position="bottom-start"
          trapFocus
          shadow="md"
        >
          <overlays.PopoverDropdown role="dialog" aria-label={t('scope.choosing')}>
            {form}
          </overlays.PopoverDropdown>
        </overlays.AnchoredPopover>
      )}
    </>
  );
}
