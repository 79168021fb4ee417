import { Menu, Popover, type MenuProps, type PopoverProps } from '@mantine/core';
import { useLayoutEffect, useState, type ReactNode, type RefObject } from 'react';

export { Select, Tooltip } from '@mantine/core';

interface Anchored {
  /** The control below which it opens. */
  anchor: RefObject<HTMLElement | null>;
  opened: boolean;
  onChange: (opened: boolean) => void;
  children: ReactNode;
}

/** The target of an overlay, for a control that is elsewhere in the document. */
function Anchor({ to, ref }: { to: Anchored['anchor']; ref?: (node: HTMLElement | null) => void }) {
  useLayoutEffect(() => {
    ref?.(to.current);
    return () => ref?.(null);
  }, [ref, to]);
  return null;
}

/**
 * Otherwise an overlay that is open when it is mounted would not return the focus. The library has
 * to see where the focus is before a timer of it moves that into the overlay.
 */
function useLater(opened: boolean): boolean {
  const [later, setLater] = useState(false);
  useLayoutEffect(() => setLater(opened), [opened]);
  return later;
}

type AnchoredMenuProps = Omit<MenuProps, keyof Anchored> & Anchored;

export function AnchoredMenu({ anchor, opened, children, ...props }: AnchoredMenuProps) {
  const later = useLater(opened);
  return (
    <Menu opened={later} {...props}>
      <Menu.Target>
        <Anchor to={anchor} />
      </Menu.Target>
      {children}
    </Menu>
  );
}

type AnchoredPopoverProps = Omit<PopoverProps, keyof Anchored> & Anchored;

export function AnchoredPopover({ anchor, opened, children, ...props }: AnchoredPopoverProps) {
  const later = useLater(opened);
  return (
    <Popover opened={later} {...props}>
      <Popover.Target>
        <Anchor to={anchor} />
      </Popover.Target>
      {children}
    </Popover>
  );
}

export const MenuDropdown = Menu.Dropdown;
export const PopoverDropdown = Popover.Dropdown;
