import type { MenuProps } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { useOpener, type OpenerProps } from './use-opener.ts';
import type { LoadOverlays, Overlays } from './use-overlays.ts';

interface Props<Loaded extends Overlays> {
  load: LoadOverlays<Loaded>;
  button: (props: OpenerProps) => ReactElement;
  items: (overlays: Loaded) => ReactNode;
  width?: MenuProps['width'];
  position: MenuProps['position'];
  dropdownClass?: string | undefined;
}

/** A button with a menu, whose code loads when the button is hovered, focused or pressed. */
export function MenuButton<Loaded extends Overlays>({
  load,
  button,
  items,
  width,
  position,
  dropdownClass,
}: Props<Loaded>) {
  const { props, overlays, opened, setOpened } = useOpener('menu', load);
  return (
    <>
      {button(props)}
      {overlays && (
        <overlays.AnchoredMenu
          id={props.id}
          anchor={props.ref}
          opened={opened}
          onChange={setOpened}
          width={width}
          position={position}
        >
          <overlays.MenuDropdown className={dropdownClass}>{items(overlays)}</overlays.MenuDropdown>
        </overlays.AnchoredMenu>
      )}
    </>
  );
}
