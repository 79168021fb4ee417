import { UnstyledButton } from '@mantine/core';
import { SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDevice, formatSpan } from '../format.ts';
import { useOpener } from '../components/overlays/use-opener.ts';
import { loadFrameOverlays } from './load-overlays.ts';
import { defaultDays, spanOfScope, type Scope } from '../scope.ts';
import styles from './scope-bar.module.css';

interface Props {
  scope: Scope;
  shown: ShownFields;
  children: ReactNode;
}

type ShownFields = Record<'country' | 'device' | 'days', boolean>;

function nameOf({ country, device, days }: ShownFields) {
  if (!country) return 'scope.openDays';
  if (!device) return 'scope.open';
  return days ? 'scope.openAll' : 'scope.openMarket';
}

/** On a phone, one button shows the selection and opens all fields. */
export function ScopeButton({ scope, shown, children }: Props) {
  const { t } = useTranslation();
  const { props, overlays, opened, setOpened } = useOpener('dialog', loadFrameOverlays);
  const days =
    scope.from || scope.days === 'all'
      ? formatSpan(spanOfScope(scope), true)
      : t('scope.span', { count: scope.days ?? defaultDays });
  const parts = [
    shown.country && (scope.country?.toUpperCase() ?? t('scope.all')),
    shown.device && scope.device && formatDevice(scope.device),
    shown.days && days,
  ];
  const label = t(nameOf(shown));
  return (
    <>
      <UnstyledButton {...props} className={styles.button}>
        <SlidersHorizontal size={15} aria-hidden />
        <span className="sr-only">{label}</span>
        <span
          className={styles.chosen}
          data-range={(shown.days && scope.from !== undefined) || undefined}
        >
          {parts.filter(Boolean).join(' · ')}
        </span>
      </UnstyledButton>
      {overlays && (
        <overlays.AnchoredPopover
          id={props.id}
          anchor={props.ref}
          opened={opened}
          onChange={setOpened}
          width={260}
          position="bottom-start"
          trapFocus
          shadow="md"
        >
          <overlays.PopoverDropdown className={styles.opened} aria-label={label}>
            {children}
          </overlays.PopoverDropdown>
        </overlays.AnchoredPopover>
      )}
    </>
  );
}
